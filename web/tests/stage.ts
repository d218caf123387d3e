import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { connect, createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { preview } from "vite";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the page is. */
    page: string;
  }
}

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const arbiter = process.env.ARBITER ?? here("../../target/release/arbiter");

/** Where screenshots go, to be looked at. */
export const screens = here("../../target/web/screens");

/** Starts a service, and the page in front of it: from the service itself, or else from Vite, which hands calls on. */
export default async function setup(project: TestProject) {
  mkdirSync(screens, { recursive: true });
  const help = execFileSync(arbiter, ["serve", "--help"], { encoding: "utf8" });
  const servesPage = /^\s+--web(?![\w-])(.*)$/m.exec(help);
  const port = await freePort();
  const options = ["serve", "--listen", `127.0.0.1:${port}`, "--log", "warn"];
  if (servesPage) options.push(servesPage[1]?.includes("<") ? "--web=true" : "--web");
  else if (help.includes("--web-origins")) options.push("--web-origins", "*");
  const service = spawn(arbiter, options, { stdio: "inherit" });
  await listening(port, service);
  const address = `http://127.0.0.1:${port}`;
  if (servesPage) {
    project.provide("page", `${address}/`);
    return () => stop(service);
  }

  const front = await preview({
    root: here(".."),
    preview: { port: await freePort(), strictPort: true, proxy: { "/arbiter.v1.ArbiterService": address } },
  });
  project.provide("page", front.resolvedUrls?.local[0] ?? "");
  return async () => {
    await front.close();
    await stop(service);
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

async function listening(port: number, service: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (service.exitCode !== null) break;
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1");
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
      socket.once("close", () => socket.destroy());
      socket.once("connect", () => socket.end());
    });
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${arbiter} does not listen`);
}

function stop(service: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    service.once("exit", () => resolve());
    // Without the wait that SIGTERM asks for.
    service.kill("SIGINT");
  });
}
