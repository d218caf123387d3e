/** TLS in Node: whom the client trusts, and what it shows of itself. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { connect } from "@arbiter/client/node";
import { Server } from "./server.js";

const folder = mkdtempSync(join(tmpdir(), "arbiter-tls-"));
const read = (name: string) => readFileSync(join(folder, name));
let server: Server;

/** Makes a key and a certificate with these extensions, signed by an authority or by itself. */
function certify(name: string, authority: string | undefined, ...extensions: string[]): void {
  const words = `req -x509 -config openssl.cnf -days 2 -subj /CN=${name} -out ${name}.pem
    -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ${name}.key`.split(/\s+/);
  if (authority !== undefined) words.push("-CA", `${authority}.pem`, "-CAkey", `${authority}.key`);
  for (const extension of extensions) words.push("-addext", extension);
  execFileSync("openssl", words, { cwd: folder, stdio: "pipe" });
}

before(async () => {
  // Without the extensions that the system's own configuration would add.
  writeFileSync(join(folder, "openssl.cnf"), "[req]\ndistinguished_name = name\n[name]\n");
  certify("authority", undefined, "basicConstraints=critical,CA:TRUE", "keyUsage=keyCertSign");
  certify("stranger", undefined, "basicConstraints=critical,CA:TRUE", "keyUsage=keyCertSign");
  certify("server", "authority", "subjectAltName=DNS:arbiter.test,IP:127.0.0.1");
  certify("client", "authority", "extendedKeyUsage=clientAuth");
  const files = ["--tls-cert", "server.pem", "--tls-key", "server.key", "--tls-client-ca", "authority.pem"];
  server = await Server.start(files.map((word) => (word.startsWith("--") ? word : join(folder, word))));
});

after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const shown = () => ({ cert: read("client.pem"), key: read("client.key") });

it("calls a server whose authority it trusts, and shows its certificate", async () => {
  const arbiter = connect(server.url, { tls: { ca: read("authority.pem"), ...shown() } });
  assert.equal((await arbiter.variants()).length, 8);
  arbiter.close();
});

it("does not call a server that it cannot trust, or of another name", async () => {
  for (const [tls, message] of [
    [shown(), /unable to verify|self-signed|unable to get/],
    [{ ca: read("stranger.pem"), ...shown() }, /unable to verify|unable to get/],
    [{ ca: read("authority.pem"), ...shown(), servername: "other.test" }, /other\.test/],
  ] as const) {
    const arbiter = connect(server.url, { tls });
    await assert.rejects(arbiter.variants(), { name: "ArbiterError", message });
    arbiter.close();
  }
});

it("is turned away without a certificate where one is asked for", async () => {
  const arbiter = connect(server.url, { tls: { ca: read("authority.pem") } });
  await assert.rejects(arbiter.variants(), { name: "ArbiterError", message: /certificate required/ });
  arbiter.close();
});
