"""Certificates that change on disk while the server works."""

import os
import socket
import ssl
import subprocess
import time

import http2
from processes import FOLDER, Load, Server, wait_until

# How often the server looks at its files, in seconds, and how much later than that a change may show.
INTERVAL = 1
SLACK = 1.5


def run(report):
    authority = Authority("service")
    swap(report, authority)
    clients(report, authority)


def swap(report, authority):
    report.begin("the certificate of the server is replaced under load")
    certificate, key = FOLDER / "server.pem", FOLDER / "server.key"
    first, second = authority.issue("first"), authority.issue("second")
    put(first.certificate, certificate)
    put(first.key, key)
    server = Server(settings={"TLS_CERT": certificate, "TLS_KEY": key, "TLS_RELOAD_INTERVAL": INTERVAL})
    context = authority.context()
    report.bound(serial(server, context) == first.serial, "connections see the first certificate")
    # Connections are made all the time, as each lives for half a second.
    load = Load(
        [server.address],
        ["single:chess"],
        tls_ca=authority.certificate,
        rate=100,
        connection_life=0.5,
        connections=8,
        seconds=10,
    )
    time.sleep(2)
    # For a while the certificate and the key are no pair.
    put(second.certificate, certificate)
    time.sleep(2 * INTERVAL)
    report.bound(serial(server, context) == first.serial, "a certificate without its key is not taken")
    put(second.key, key)
    seen, seconds = wait_until(lambda: serial(server, context) == second.serial, INTERVAL + SLACK)
    report.bound(
        seen, f"new connections see the second within {INTERVAL} + {SLACK} s of its key: {seconds:.1f} s"
    )
    broken = FOLDER / "broken.pem"
    broken.write_text("-----BEGIN CERTIFICATE-----\nnone\n")
    put(broken, certificate)
    time.sleep(2 * INTERVAL)
    report.bound(serial(server, context) == second.serial, "a broken file leaves the last good pair")
    result = load.result()
    server.kill()
    report.figure(f"calls over connections of half a second: {result.codes()}")
    for failure in result.first_failures():
        report.figure(f"for example {failure}")
    report.bound(result.not_ok() == 0, f"no call fails: {result.not_ok()} of {result.total('calls')}")


def clients(report, authority):
    report.begin("the authority of client certificates is replaced")
    old, new = Authority("old clients"), Authority("new clients")
    pair, old_client, new_client = authority.issue("server"), old.issue("old"), new.issue("new")
    trusted = FOLDER / "clients.pem"
    put(old.certificate, trusted)
    server = Server(
        settings={
            "TLS_CERT": pair.certificate,
            "TLS_KEY": pair.key,
            "TLS_CLIENT_CA": trusted,
            "TLS_RELOAD_INTERVAL": INTERVAL,
        }
    )

    def takes(client):
        return is_taken(server, authority.context(client))

    report.bound(takes(old_client), "a client of the authority is taken")
    report.bound(not takes(None), "a client without a certificate is refused")
    report.bound(not takes(new_client), "a client of another authority is refused")
    put(new.certificate, trusted)
    refused, seconds = wait_until(lambda: not takes(old_client), INTERVAL + SLACK)
    report.bound(refused, f"the old client is refused within {INTERVAL} + {SLACK} s: {seconds:.1f} s")
    report.bound(takes(new_client), "a client of the new authority is taken")
    server.kill()


class Pair:
    """A certificate and its key."""

    def __init__(self, name):
        name = name.replace(" ", "-")
        self.certificate = FOLDER / f"{name}-certificate.pem"
        self.key = FOLDER / f"{name}-key.pem"

    @property
    def serial(self):
        output = openssl("x509", "-in", self.certificate, "-noout", "-serial")
        return int(output.split("=")[1], 16)


class Authority(Pair):
    """An authority that issues certificates."""

    def __init__(self, name):
        super().__init__(f"{name} authority")
        openssl(
            *("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"),
            *("-subj", f"/CN={name}", "-keyout", self.key, "-out", self.certificate),
        )

    def issue(self, name):
        """A certificate of this authority, good for a server on loopback and for a client."""
        pair = Pair(name)
        request, extensions = FOLDER / f"{name}.csr", FOLDER / f"{name}.ext"
        extensions.write_text("subjectAltName=IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n")
        openssl(
            *("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"),
            *("-subj", f"/CN={name}", "-keyout", pair.key, "-out", request),
        )
        openssl(
            *("x509", "-req", "-in", request, "-CA", self.certificate, "-CAkey", self.key, "-CAcreateserial"),
            *("-days", "2", "-extfile", extensions, "-out", pair.certificate),
        )
        return pair

    def context(self, client=None):
        """How a client connects that trusts this authority."""
        context = ssl.create_default_context(cafile=self.certificate)
        context.set_alpn_protocols(["h2"])
        if client:
            context.load_cert_chain(client.certificate, client.key)
        return context


def openssl(*arguments):
    command = ["openssl", *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def put(source, target):
    """Replaces a file as a whole, as certificate managers do."""
    fresh = target.with_suffix(".fresh")
    fresh.write_bytes(source.read_bytes())
    os.replace(fresh, target)


def connect(server, context):
    raw = socket.create_connection(("127.0.0.1", server.port), timeout=2)
    return context.wrap_socket(raw, server_hostname="127.0.0.1")


def serial(server, context):
    """The number of the certificate that a new connection sees; none if it cannot be made."""
    try:
        with connect(server, context) as connection:
            return int(connection.getpeercert()["serialNumber"], 16)
    except OSError:
        return None


def is_taken(server, context):
    """Whether the server speaks HTTP/2 with a client. One that is refused may learn so only after the handshake."""
    try:
        with connect(server, context) as connection:
            connection.sendall(http2.OPENING)
            return len(connection.recv(9)) > 0
    except OSError:
        return False
