"""The manifests have no problems, and the checks would find them."""

import os
import shutil
import subprocess
from pathlib import Path
from threading import Timer

import pytest
from manifests import Manifests, problems, render

HERE = Path(__file__).parent
KUSTOMIZATIONS = ["base", "overlays/tls"]

# A file, what to replace in it and with what, and what must then be said.
MISTAKES = [
    ("base/deployment.yaml", "revisionHistoryLimit:", "revisionsHistoryLimit:", "'revisionsHistoryLimit' was unexpected"),
    ("base/deployment.yaml", "maxSkew: 1", "maxSkew: one", "'one' is not of type"),
    ("base/deployment.yaml", "drop: [ALL]", "drop: [NET_RAW]", "capabilities is not as secure"),
    ("base/deployment.yaml", "port: admin", "port: metrics", "names the port metrics"),
    ("base/deployment.yaml", "ARBITER_WORKERS", "ARBITER_WORKER", "no setting ARBITER_WORKER"),
    ("base/deployment.yaml", "0.0.0.0:9090", "0.0.0.0:9091", "ARBITER_ADMIN_LISTEN is 0.0.0.0:9091"),
    ("base/deployment.yaml", "GracePeriodSeconds: 35", "GracePeriodSeconds: 25", "more than terminationGrace"),
    ("base/deployment.yaml", "serviceAccountName: arbiter", "serviceAccountName: other", "service account that does not"),
    ("base/kustomization.yaml", "newTag: ", "newTag: 9.", "the image is arbiter:9."),
    ("base/service.yaml", "targetPort: grpc", "targetPort: http", "names the port http"),
    ("base/service.yaml", "/name: arbiter", "/name: arbitre", "Service selects"),
    ("base/pdb.yaml", "/name: arbiter", "/name: arbitre", "PodDisruptionBudget selects"),
    ("base/networkpolicy.yaml", "    matchLabels:\n      app.kubernetes.io/name: arbiter", "    {}", "NetworkPolicy selects"),
    ("base/hpa.yaml", "averageUtilization: 70", 'averageUtilization: "70"', "'70' is not of type"),
    ("base/hpa.yaml", "    name: arbiter", "    name: other", "a deployment that does not exist"),
    ("overlays/tls/deployment.yaml", "/tls/ca.crt", "/authority/ca.crt", "no volume is mounted"),
    ("gateway/grpcroute.yaml", "port: 50051", "port: 50052", "GRPCRoute names"),
]


@pytest.mark.parametrize("name", KUSTOMIZATIONS)
def test_the_manifests_have_no_problems(name):
    assert problems(HERE / name) == []


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake[2].strip())
def test_a_mistake_is_found(mistake, tmp_path):
    file, right, wrong, said = mistake
    copy = shutil.copytree(HERE, tmp_path / "kubernetes")
    text = (copy / file).read_text()
    assert right in text
    (copy / file).write_text(text.replace(right, wrong))
    kustomization = "overlays/tls" if file.startswith("overlays") else "base"
    found = problems(copy / kustomization)
    assert any(said in problem for problem in found), found


def test_the_service_starts_with_the_settings():
    environment = Manifests(render(HERE / "base")).environment
    # The same but for the addresses, which are not open to all here, and whose ports may be taken.
    environment |= {"ARBITER_LISTEN": "127.0.0.1:0", "ARBITER_ADMIN_LISTEN": "127.0.0.1:0"}
    service = subprocess.Popen(
        [os.environ["ARBITER"], "serve"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    # The output ends without that line when the service refuses a setting, or after five seconds.
    limit = Timer(5, service.kill)
    limit.start()
    said = []
    for line in service.stdout:
        said.append(line)
        if '"message":"serving"' in line:
            break
    limit.cancel()
    service.kill()
    service.communicate()
    assert said and '"message":"serving"' in said[-1], "".join(said)
