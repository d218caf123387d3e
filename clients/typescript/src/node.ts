/** The client for Node: gRPC over HTTP/2. */

import type { SecureClientSessionOptions } from "node:http2";
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { Arbiter, type ArbiterOptions } from "./arbiter.js";
import { lossIsUnavailable } from "./loss.js";
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
    const interceptors = [...(options.interceptors ?? []), ...retrying, lossIsUnavailable(isLoss)];
    super(createGrpcTransport({ baseUrl, sessionManager, interceptors }), options);
    this.#sessions = sessionManager;
  }

  /** Closes the connection and ends all calls. A later call opens another. */
  close(): void {
    this.#sessions.abort(closed);
  }
}

/** Makes a client of the service at an address such as `http://127.0.0.1:50051` or `https://arbiter.example.com`. */
export function connect(baseUrl: string, options: NodeOptions = {}): NodeArbiter {
  return new NodeArbiter(baseUrl, options);
}

/** The error of the calls of a client that was closed. */
const closed = new ConnectError("the client was closed", Code.Canceled);

/** With these codes of Node's errors a connection could not be used, or broke. */
const LOSSES: ReadonlySet<unknown> = new Set([
  "ECONNRESET",
  "EPIPE",
  "ERR_HTTP2_GOAWAY_SESSION",
  "ERR_HTTP2_INVALID_SESSION",
  "ERR_HTTP2_INVALID_STREAM",
  "ERR_HTTP2_SESSION_ERROR",
  "ERR_HTTP2_STREAM_CANCEL",
  "ERR_STREAM_DESTROYED",
  "ERR_STREAM_PREMATURE_CLOSE",
]);

function isLoss(error: ConnectError): boolean {
  // Where nobody canceled, Connect says so of a call that meets a connection which the server has just ended.
  if (error.code === Code.Canceled) return error !== closed;
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && LOSSES.has(cause.code)) return true;
    // The server lets calls end and takes no more. Node tells only by the message.
    if (cause.message.includes("NGHTTP2_REFUSED_STREAM")) return true;
  }
  return false;
}
