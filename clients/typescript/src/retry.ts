import {
  Code,
  ConnectError,
  type Interceptor,
  type StreamRequest,
  type StreamResponse,
  type UnaryRequest,
} from "@connectrpc/connect";
import { retryAfterMs } from "./errors.js";

/** When and how often a call is tried again. All methods are free of side effects, so any call can be. */
export interface RetryPolicy {
  /** How often a call is made at most, the first time included. */
  readonly maxAttempts: number;
  /** The pause before the second attempt, in milliseconds. */
  readonly initialBackoffMs: number;
  /** By how much each pause is longer than the one before. */
  readonly backoffMultiplier: number;
  /** The longest pause, in milliseconds. */
  readonly maxBackoffMs: number;
  /**
   * Whether to wait and try again when the server is busy, as long as it says. Off by default: callers who
   * all come back keep a server busy, and many would rather try elsewhere or tell the player.
   */
  readonly retryBusy: boolean;
}

/** The policy that the service publishes for its clients. */
export const publishedPolicy: RetryPolicy = {
  maxAttempts: 4,
  initialBackoffMs: 100,
  backoffMultiplier: 2,
  maxBackoffMs: 1_000,
  retryBusy: false,
};

/**
 * Makes calls again that failed with UNAVAILABLE, within the deadline of the call. A stream is made again only
 * if it fails before its first message, as what was received cannot be taken back.
 */
export function retry(policy: RetryPolicy = publishedPolicy): Interceptor {
  return (next) => async (request) => {
    const start = performance.now();
    const timeoutMs = timeoutOf(request);
    const leftMs = () => timeoutMs - (performance.now() - start);
    const again = await repeatable(request);
    for (let attempt = 1; ; attempt++) {
      try {
        const response = await next(again(leftMs()));
        return response.stream ? await begun(response) : response;
      } catch (caught) {
        const error = ConnectError.from(caught);
        const pauseMs = attempt < policy.maxAttempts ? pauseAfter(attempt, error, policy) : undefined;
        // Where the deadline comes before the next attempt, the error at hand says more than the deadline's.
        if (pauseMs === undefined || pauseMs >= leftMs()) throw error;
        await pause(pauseMs, request.signal);
      }
    }
  };
}

/** The pause after an attempt that failed so, or undefined if the error is not one to try again after. */
function pauseAfter(attempt: number, error: ConnectError, policy: RetryPolicy): number | undefined {
  if (error.code === Code.Unavailable) {
    const backoff = policy.initialBackoffMs * policy.backoffMultiplier ** (attempt - 1);
    // A fifth more or less, so that clients who failed together do not come back together.
    return Math.min(backoff, policy.maxBackoffMs) * (0.8 + 0.4 * Math.random());
  }
  const askedMs = retryAfterMs(error);
  if (policy.retryBusy && error.code === Code.ResourceExhausted && askedMs !== undefined) {
    return askedMs * (1 + 0.2 * Math.random());
  }
  return undefined;
}

/** Waits, but not longer than the call may take. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", leave);
      resolve();
    }, milliseconds);
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
  });
}

/** The time that a call may take. Connect has written it into the header, always in milliseconds. */
function timeoutOf(request: UnaryRequest | StreamRequest): number {
  const digits = /^(\d+)m$/.exec(request.header.get("grpc-timeout") ?? "")?.[1];
  return digits === undefined ? Number.POSITIVE_INFINITY : Number(digits);
}

/** Gives the request for each attempt, with the time that is left for it. */
async function repeatable<Request extends UnaryRequest | StreamRequest>(
  request: Request,
): Promise<(leftMs: number) => Request> {
  // The messages of a stream can be read once only. In all streams of the contract the client sends one.
  const sent = request.stream ? await all(request.message) : undefined;
  return (leftMs) => {
    if (Number.isFinite(leftMs)) {
      request.header.set("grpc-timeout", `${Math.max(1, Math.ceil(leftMs))}m`);
    }
    return sent === undefined ? request : { ...request, message: each(sent) };
  };
}

/** The response of a stream, once its first message, or its end, is here. */
async function begun(response: StreamResponse): Promise<StreamResponse> {
  const messages = response.message[Symbol.asyncIterator]();
  const first = await messages.next();
  async function* joined() {
    for (let result = first; !result.done; result = await messages.next()) yield result.value;
  }
  return { ...response, message: joined() };
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

async function* each<T>(items: T[]): AsyncGenerator<T> {
  yield* items;
}
