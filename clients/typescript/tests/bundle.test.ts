/** What a browser has to load. */

import assert from "node:assert/strict";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

it("is small, and holds nothing of Node", async () => {
  // For browsers esbuild fails where anything of Node is imported.
  const result = await build({
    entryPoints: [fileURLToPath(new URL("../dist/web.js", import.meta.url))],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    write: false,
    metafile: true,
    logLevel: "silent",
  });
  const inputs = Object.keys(result.metafile.inputs);
  assert.ok(inputs.some((path) => path.includes("connect-web")));
  assert.ok(!inputs.some((path) => path.includes("connect-node")), inputs.join("\n"));
  const [output] = result.outputFiles;
  assert.ok(output);
  const kib = gzipSync(output.contents).length / 1024;
  console.log(`${kib.toFixed(1)} KiB with gzip, ${(output.contents.length / 1024).toFixed(1)} KiB without`);
  assert.ok(kib < 60, `${kib} KiB`);
  assert.doesNotMatch(output.text, /\brequire\(|["']node:/);
});
