/** The real server, on a port that the system chooses. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const binary =
  process.env.ARBITER ?? fileURLToPath(new URL("../../../target/release/arbiter", import.meta.url));

export class Server {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
  ) {}

  /** Starts a server that also answers gRPC-web, and any origin, with more options of `serve`. */
  static async start(options: readonly string[] = []): Promise<Server> {
    const listening = options.includes("--listen") ? [] : ["--listen", "127.0.0.1:0"];
    const child = spawn(binary, ["serve", "--web-origins", "*", ...listening, ...options], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    const port = await new Promise<string>((resolve, reject) => {
      let said = "";
      const hear = (chunk: Buffer) => {
        said += chunk.toString();
        const found = /serving.*127\.0\.0\.1:(\d+)/.exec(said)?.[1];
        if (found !== undefined) resolve(found);
      };
      child.stdout.on("data", hear);
      child.stderr.on("data", hear);
      child.on("error", reject);
      const fail = () => reject(new Error(`${binary} does not serve: ${said}`));
      child.on("exit", fail);
      setTimeout(fail, 30_000).unref();
    });
    const scheme = options.includes("--tls-cert") ? "https" : "http";
    return new Server(`${scheme}://127.0.0.1:${port}`, child);
  }

  /** Ends the server. SIGINT lets open calls end first, and does not wait for callers to go elsewhere. */
  async stop(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    const exited = this.exited();
    this.child.kill(signal);
    await exited;
  }

  /** Waits until the server has ended. */
  async exited(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, "exit");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}
