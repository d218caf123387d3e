/** The client for browsers: gRPC-web over `fetch`. */

import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { Arbiter, type ArbiterOptions } from "./arbiter.js";
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
    interceptors: [...(options.interceptors ?? []), ...retrying],
    fetch: telling(options.fetch ?? globalThis.fetch),
  });
  return new Arbiter(transport, options);
}

/** A fetch that fails with UNAVAILABLE where the server cannot be reached: its own error says no more than that. */
function telling(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    try {
      return await fetch(input, init);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw new ConnectError(error.message, Code.Unavailable, undefined, undefined, error);
    }
  };
}
