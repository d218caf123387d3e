/** TLS in Node: whom the client trusts, and what it shows of itself. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import * as http2 from "node:http2";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { ArbiterService, Code } from "@arbiter/client";
import { connect } from "@arbiter/client/node";
import { connectNodeAdapter } from "@connectrpc/connect-node";

const folder = mkdtempSync(join(tmpdir(), "arbiter-tls-"));
const read = (name: string) => readFileSync(join(folder, name));
let server: http2.Http2SecureServer;
let url: string;

/** Makes a key and a certificate, signed by an authority or by itself. */
function certify(name: string, authority: string | undefined, extension: string): void {
  const signing = authority === undefined ? [] : ["-CA", `${authority}.pem`, "-CAkey", `${authority}.key`];
  const key = [
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:prime256v1",
    "-nodes",
    "-keyout",
    `${name}.key`,
  ];
  const certificate = [
    "-x509",
    "-subj",
    `/CN=${name}`,
    "-days",
    "2",
    "-addext",
    extension,
    "-out",
    `${name}.pem`,
  ];
  execFileSync("openssl", ["req", ...certificate, ...key, ...signing], { cwd: folder, stdio: "pipe" });
}

before(async () => {
  certify("authority", undefined, "keyUsage=keyCertSign");
  certify("stranger", undefined, "keyUsage=keyCertSign");
  certify("server", "authority", "subjectAltName=DNS:arbiter.test,IP:127.0.0.1");
  certify("client", "authority", "extendedKeyUsage=clientAuth");
  const handler = connectNodeAdapter({
    routes: (router) =>
      router.service(ArbiterService, { listVariants: () => ({ variants: [{ id: "chess" }] }) }),
  });
  const asking = { ca: read("authority.pem"), requestCert: true, rejectUnauthorized: true };
  server = http2.createSecureServer(
    { cert: read("server.pem"), key: read("server.key"), ...asking },
    handler,
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

after(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const shown = () => ({ cert: read("client.pem"), key: read("client.key") });

it("calls a server whose authority it trusts, and shows its certificate", async () => {
  const arbiter = connect(url, { tls: { ca: read("authority.pem"), ...shown() } });
  assert.deepEqual(
    (await arbiter.variants()).map((variant) => variant.id),
    ["chess"],
  );
  arbiter.close();
});

it("does not call a server that it cannot trust, or of another name", async () => {
  for (const tls of [
    shown(),
    { ca: read("stranger.pem"), ...shown() },
    { ca: read("authority.pem"), ...shown(), servername: "other.test" },
  ]) {
    const arbiter = connect(url, { tls, retry: false });
    await assert.rejects(arbiter.variants(), (error: { code: Code }) => error.code !== Code.DeadlineExceeded);
    arbiter.close();
  }
});

it("is turned away without a certificate where one is asked for", async () => {
  const arbiter = connect(url, { tls: { ca: read("authority.pem") }, retry: false, timeoutMs: 5_000 });
  await assert.rejects(arbiter.variants(), (error: { code: Code }) => error.code !== Code.DeadlineExceeded);
  arbiter.close();
});
