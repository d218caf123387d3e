import { defineConfig } from "vitest/config";

// Where the service answers gRPC-web while the page is served by Vite.
const service = process.env.ARBITER_URL ?? "http://127.0.0.1:50051";
const proxy = { "/arbiter.v1.ArbiterService": service };

export default defineConfig({
  // The page works under any path.
  base: "./",
  server: { host: "127.0.0.1", proxy },
  preview: { host: "127.0.0.1", proxy, headers: { "content-security-policy": "default-src 'self'" } },
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  build: {
    target: "es2022",
    // Few files with lasting names, and none inlined as data: what serves them needs no list, and the policy no exception.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      output: { entryFileNames: "arbiter.js", assetFileNames: "arbiter[extname]" },
    },
  },
  test: {
    projects: [
      { extends: true, test: { name: "unit", include: ["src/**/*.test.ts"] } },
      {
        extends: true,
        test: {
          name: "browser",
          include: ["tests/**/*.test.ts"],
          globalSetup: "tests/stage.ts",
          maxWorkers: 2,
          // Long enough for a busy machine: waiting ends as soon as what is waited for is there.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 30_000 } },
        },
      },
    ],
  },
});
