/** The client for Node: gRPC over HTTP/2. */

import type { SecureClientSessionOptions } from "node:http2";
import type { Interceptor } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { Arbiter, type ArbiterOptions } from "./arbiter.js";
import { type RetryPolicy, retry } from "./retry.js";

export * from "./index.js";

export interface NodeOptions extends ArbiterOptions {
  /** The published policy if not given; `false`: every call is made once. */
  readonly retry?: RetryPolicy | false | undefined;
  /** Run around each call, before it is tried again. */
  readonly interceptors?: readonly Interceptor[] | undefined;
  /**
   * How to speak TLS with an `https` address, as in `node:tls`: `ca` where the certificate authority is not one
   * that Node knows, `cert` and `key` where the server wants to see a certificate, `servername`, and so on.
   */
  readonly tls?: SecureClientSessionOptions | undefined;
  /**
   * After how long without news a connection with open calls is asked for a sign of life, in milliseconds. Not if
   * not given. Needed where something between client and server may drop connections without a word.
   */
  readonly pingIntervalMs?: number | undefined;
  /** How long to wait for the sign of life, in milliseconds. 15,000 if not given. */
  readonly pingTimeoutMs?: number | undefined;
}

/** A client with a connection. It does not keep the process running. */
export class NodeArbiter extends Arbiter {
  readonly #sessions: Http2SessionManager;

  constructor(baseUrl: string, options: NodeOptions = {}) {
    const { pingIntervalMs, pingTimeoutMs, tls } = options;
    const sessionManager = new Http2SessionManager(baseUrl, { pingIntervalMs, pingTimeoutMs }, tls);
    const retrying = options.retry === false ? [] : [retry(options.retry)];
    const interceptors = [...(options.interceptors ?? []), ...retrying];
    super(createGrpcTransport({ baseUrl, sessionManager, interceptors }), options);
    this.#sessions = sessionManager;
  }

  /** Closes the connection and ends all calls. A later call opens another. */
  close(): void {
    this.#sessions.abort();
  }
}

/** Makes a client of the service at an address such as `http://127.0.0.1:50051` or `https://arbiter.example.com`. */
export function connect(baseUrl: string, options: NodeOptions = {}): NodeArbiter {
  return new NodeArbiter(baseUrl, options);
}
