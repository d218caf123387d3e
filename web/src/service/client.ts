import { type Client, createClient, type Interceptor } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { ArbiterService } from "../gen/arbiter/v1/service_pb";
import { type Problem, pauseBefore, problemOf } from "./problem";

export type Arbiter = Client<typeof ArbiterService>;

/** What the page shows while it waits: how many calls are open, and what went wrong with the last try of one. */
export interface Traffic {
  open: number;
  trouble?: Problem;
}

/** A whole call, with all its tries. */
const deadline = 20_000;

/**
 * A client of the service at `baseUrl`. A call that failed in passing is tried again, which is right as all methods are
 * free of side effects.
 */
export function connect(baseUrl: string, show: (traffic: Traffic) => void): Arbiter {
  const traffic: Traffic = { open: 0 };

  const retrying: Interceptor = (next) => async (request) => {
    show(Object.assign(traffic, { open: traffic.open + 1 }));
    try {
      for (let tries = 1; ; tries++) {
        try {
          const response = await next(request);
          traffic.trouble = undefined;
          return response;
        } catch (error) {
          const pause = pauseBefore(error, tries);
          if (pause === undefined || request.signal.aborted) throw error;
          traffic.trouble = problemOf(error);
          show(traffic);
          await sleep(pause, request.signal);
        }
      }
    } finally {
      traffic.open -= 1;
      if (traffic.open === 0) traffic.trouble = undefined;
      show(traffic);
    }
  };

  const transport = createGrpcWebTransport({ baseUrl, defaultTimeoutMs: deadline, interceptors: [retrying] });
  return createClient(ArbiterService, transport);
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
