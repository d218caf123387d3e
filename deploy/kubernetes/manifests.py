"""Finds what is wrong with the manifests of a kustomization."""

import os
import re
import subprocess
import tomllib
from pathlib import Path

import kubernetes_validate
import yaml

ROOT = Path(__file__).parent.parent.parent
# The oldest release in which all that the manifests use is on by default, and the newest.
RELEASES = ["1.31", "1.37"]
GATEWAY = "gateway.networking.k8s.io/v1"


def render(folder):
    """The documents that a kustomization makes."""
    made = subprocess.run(["kubectl", "kustomize", folder], check=True, capture_output=True, text=True).stdout
    return list(yaml.safe_load_all(made))


def settings():
    """The environment variables that the service reads, as its help says."""
    help_text = subprocess.run(
        [os.environ["ARBITER"], "serve", "--help"], check=True, capture_output=True, text=True, env={}
    ).stdout
    return set(re.findall(r"\[env: (\w+)=", help_text))


def image():
    """The variables and ports that the image sets."""
    text = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    variables = dict(re.findall(r"(ARBITER_\w+)=(\S+)", re.search(r"^ENV (.*)$", text, re.MULTILINE)[1]))
    ports = [int(port) for port in re.search(r"^EXPOSE (.*)$", text, re.MULTILINE)[1].split()]
    return variables, ports


def schema_problems(documents):
    for document in documents:
        for release in RELEASES:
            try:
                kubernetes_validate.validate(document, release, strict=True)
            except (kubernetes_validate.ValidationError, kubernetes_validate.SchemaNotFoundError) as error:
                yield f"{document['kind']}, Kubernetes {release}: {getattr(error, 'message', error)}"


class Manifests:
    """The documents, and what the checks ask of them."""

    def __init__(self, documents):
        self.documents = documents
        [self.deployment] = self.of("Deployment")
        self.pod = self.deployment["spec"]["template"]
        [self.container] = self.pod["spec"]["containers"]
        self.environment = {entry["name"]: entry["value"] for entry in self.container["env"]}
        self.ports = {port["name"]: port["containerPort"] for port in self.container["ports"]}

    def of(self, kind):
        return [document for document in self.documents if document["kind"] == kind]

    def names(self, kind):
        return [document["metadata"]["name"] for document in self.of(kind)]

    def selectors(self):
        """Every selector that must choose the pods of the deployment."""
        yield "Deployment", self.deployment["spec"]["selector"].get("matchLabels")
        for constraint in self.pod["spec"]["topologySpreadConstraints"]:
            yield "topologySpreadConstraints", constraint["labelSelector"].get("matchLabels")
        for service in self.of("Service"):
            yield "Service", service["spec"].get("selector")
        for budget in self.of("PodDisruptionBudget"):
            yield "PodDisruptionBudget", budget["spec"]["selector"].get("matchLabels")
        for policy in self.of("NetworkPolicy"):
            yield "NetworkPolicy", policy["spec"]["podSelector"].get("matchLabels")

    def named_ports(self):
        """Every place that names a port of the container."""
        for probe in ["startupProbe", "readinessProbe", "livenessProbe"]:
            yield probe, self.container[probe]["httpGet"]["port"]
        for service in self.of("Service"):
            for port in service["spec"]["ports"]:
                yield "Service", port["targetPort"]
        for policy in self.of("NetworkPolicy"):
            for rule in policy["spec"]["ingress"]:
                for port in rule["ports"]:
                    yield "NetworkPolicy", port["port"]

    def reference_problems(self):
        labels = self.pod["metadata"]["labels"]
        for where, selector in self.selectors():
            # An empty selector chooses every pod of the namespace.
            if not selector or not selector.items() <= labels.items():
                yield f"{where} selects {selector}, but the pods are labelled {labels}"
        for where, port in self.named_ports():
            if port not in self.ports:
                yield f"{where} names the port {port}, but the container has {self.ports}"
        scraped = self.pod["metadata"]["annotations"]["prometheus.io/port"]
        if scraped != str(self.ports["admin"]):
            yield f"Prometheus is sent to port {scraped}, but metrics are on {self.ports['admin']}"
        for scaler in self.of("HorizontalPodAutoscaler"):
            if scaler["spec"]["scaleTargetRef"]["name"] not in self.names("Deployment"):
                yield "HorizontalPodAutoscaler scales a deployment that does not exist"
        if self.pod["spec"]["serviceAccountName"] not in self.names("ServiceAccount"):
            yield "the pods use a service account that does not exist"

    def service_problems(self):
        """What does not fit the program or its image."""
        set_by_image, exposed = image()
        for name in (set_by_image.keys() | self.environment.keys()) - settings():
            yield f"the service knows no setting {name}"
        version = tomllib.loads((ROOT / "Cargo.toml").read_text())["package"]["version"]
        if not self.container["image"].endswith(f":{version}"):
            yield f"the image is {self.container['image']}, but the version of the service is {version}"
        if sorted(exposed) != sorted(self.ports.values()):
            yield f"the image exposes {exposed}, but the container has the ports {self.ports}"
        for name, port in [("ARBITER_LISTEN", "grpc"), ("ARBITER_ADMIN_LISTEN", "admin")]:
            if not self.environment[name].endswith(f":{self.ports[port]}"):
                yield f"{name} is {self.environment[name]}, but the port {port} is {self.ports[port]}"
        stopping = float(self.environment["ARBITER_DRAIN_DELAY"]) + float(self.environment["ARBITER_DRAIN_LIMIT"])
        if self.pod["spec"]["terminationGracePeriodSeconds"] <= stopping:
            yield f"stopping may take {stopping} s, more than terminationGracePeriodSeconds"
        volumes = {volume["name"] for volume in self.pod["spec"].get("volumes", [])}
        mounts = {mount["mountPath"]: mount["name"] for mount in self.container.get("volumeMounts", [])}
        for name, value in self.environment.items():
            if value.startswith("/") and mounts.get(str(Path(value).parent)) not in volumes:
                yield f"{name} is {value}, where no volume is mounted"

    def security_problems(self):
        """What the Pod Security Standard `restricted` would refuse, and what could be written to."""
        pod, container = self.pod["spec"]["securityContext"], self.container["securityContext"]
        kept = {
            "runAsNonRoot": pod.get("runAsNonRoot") is True,
            "seccompProfile": pod.get("seccompProfile") == {"type": "RuntimeDefault"},
            "allowPrivilegeEscalation": container.get("allowPrivilegeEscalation") is False,
            "capabilities": container.get("capabilities") == {"drop": ["ALL"]},
            "readOnlyRootFilesystem": container.get("readOnlyRootFilesystem") is True,
        }
        yield from (f"{name} is not as secure as it should be" for name, holds in kept.items() if not holds)

    def route_problems(self, route):
        """What in a GRPCRoute names something that does not exist. There is no schema of it to check the rest against."""
        if (route["apiVersion"], route["kind"]) != (GATEWAY, "GRPCRoute"):
            yield f"{route['kind']} of {route['apiVersion']} instead of GRPCRoute of {GATEWAY}"
        ports = {
            (service["metadata"]["name"], port["port"]) for service in self.of("Service") for port in service["spec"]["ports"]
        }
        for rule in route["spec"]["rules"]:
            for match in rule["matches"]:
                package, _, service = match["method"]["service"].rpartition(".")
                contract = (ROOT / "proto" / package.replace(".", "/") / "service.proto").read_text()
                if f"service {service} {{" not in contract:
                    yield f"the contract has no service {service}"
            for backend in rule["backendRefs"]:
                if (backend["name"], backend["port"]) not in ports:
                    yield f"GRPCRoute names {backend}, but the services have {ports}"


def problems(folder):
    """All that is wrong with a kustomization, in sentences."""
    documents = render(folder)
    manifests = Manifests(documents)
    route = yaml.safe_load((folder / "../gateway/grpcroute.yaml").resolve().read_text()) if folder.name == "base" else None
    return [
        *schema_problems(documents),
        *manifests.reference_problems(),
        *manifests.service_problems(),
        *manifests.security_problems(),
        *(manifests.route_problems(route) if route else []),
    ]
