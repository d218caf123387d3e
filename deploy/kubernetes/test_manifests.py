"""The manifests have no problems, and the checks would find them."""

import os
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest
from manifests import Manifests, problems, render
from replicas import free_port, wait_until

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


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A folder with what the Secret of the overlay holds: here one certificate in all roles."""
    folder = tmp_path_factory.mktemp("tls")
    make = "openssl req -x509 -newkey ed25519 -nodes -days 1 -subj /CN=arbiter -keyout tls.key -out tls.crt"
    subprocess.run(make.split(), cwd=folder, check=True, capture_output=True)
    shutil.copy(folder / "tls.crt", folder / "ca.crt")
    return folder


@contextmanager
def service(name, folder):
    """The service with the settings of a kustomization, but for the addresses, whose ports may be taken here."""
    environment = Manifests(render(HERE / name)).environment
    environment = {key: value.replace("/tls/", f"{folder}/") for key, value in environment.items()}
    admin = f"127.0.0.1:{free_port()}"
    environment |= {"ARBITER_LISTEN": "127.0.0.1:0", "ARBITER_ADMIN_LISTEN": admin}
    process = subprocess.Popen([os.environ["ARBITER"], "serve"], env=environment)
    try:
        yield process, admin
    finally:
        process.kill()
        process.wait()


def answers(address, path):
    try:
        with urlopen(f"http://{address}{path}", timeout=1) as answer:
            return answer.status == 200
    except OSError:
        return False


@pytest.mark.parametrize("name", KUSTOMIZATIONS)
def test_the_service_gets_ready_with_the_settings(name, certificate):
    container = Manifests(render(HERE / name)).container
    with service(name, certificate) as (_, admin):
        for probe in ["startupProbe", "readinessProbe", "livenessProbe"]:
            path = container[probe]["httpGet"]["path"]
            wait_until(lambda path=path: answers(admin, path), what=f"{path} does not answer")


def test_the_overlay_does_not_serve_without_its_files(tmp_path):
    with service("overlays/tls", tmp_path) as (process, _):
        assert process.wait(timeout=10) != 0
