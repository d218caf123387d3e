/** The client for browsers: gRPC-web over `fetch`. */

import { Code, type ConnectError, type Interceptor } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { Arbiter, type ArbiterOptions } from "./arbiter.js";
import { lossIsUnavailable } from "./loss.js";
import { type RetryPolicy, retry } from "./retry.js";

export * from "./index.js";

export interface WebOptions extends ArbiterOptions {
  /** The published policy if not given; `false`: every call is made once. */
  readonly retry?: RetryPolicy | false | undefined;
  /** Run around each call, before it is tried again. */
  readonly interceptors?: readonly Interceptor[] | undefined;
  /** Instead of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/**
 * Makes a client of the service at an address such as `https://arbiter.example.com`, or `location.origin` where
 * it serves the page.
 */
export function connect(baseUrl: string, options: WebOptions = {}): Arbiter {
  const retrying = options.retry === false ? [] : [retry(options.retry)];
  const transport = createGrpcWebTransport({
    baseUrl,
    interceptors: [...(options.interceptors ?? []), ...retrying, lossIsUnavailable(isLoss)],
    fetch: options.fetch,
  });
  return new Arbiter(transport, options);
}

/** What fetch and the bodies that it gives throw, whatever came between client and server. */
function isLoss(error: ConnectError): boolean {
  return error.code === Code.Unknown && error.cause instanceof TypeError;
}
