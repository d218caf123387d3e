import { Code, ConnectError } from "@connectrpc/connect";
import { BadRequestSchema, RetryInfoSchema } from "../gen/google/rpc/error_details_pb";
import { sentence } from "../model/words";

/** Why a call got no answer, for people. */
export interface Problem {
  text: string;
  /** What is wrong with the request, one sentence a fault. */
  faults: string[];
  /** True if the request is at fault, so that asking again is of no use. */
  ours: boolean;
}

/** How often a call is tried. */
const maxTries = 4;

export function problemOf(error: unknown): Problem {
  const problem = read(error);
  const { code, rawMessage } = problem;
  const faults = problem.findDetails(BadRequestSchema).flatMap((detail) => detail.fieldViolations);
  const sentences = faults.map(({ description }) => sentence(description));
  switch (code) {
    case Code.InvalidArgument:
    case Code.OutOfRange:
      return { ...told(sentences, sentence(rawMessage)), ours: true };
    case Code.ResourceExhausted:
      return { text: "The server is busy.", faults: [], ours: false };
    case Code.Unavailable:
    case Code.Unknown:
      return { text: "The server cannot be reached.", faults: [], ours: false };
    case Code.DeadlineExceeded:
      return { text: "The server took too long to answer.", faults: [], ours: false };
    default:
      return { text: `The server could not answer: ${rawMessage}`, faults: [], ours: false };
  }
}

/** One fault is told for itself; of several the message tells only the first. */
function told(faults: string[], message: string): Pick<Problem, "text" | "faults"> {
  if (faults.length > 1) return { text: `${faults.length} faults were found:`, faults };
  return { text: faults[0] ?? message, faults: [] };
}

/** True for calls that the page itself gave up. */
export const wasCanceled = (error: unknown) => ConnectError.from(error).code === Code.Canceled;

/** How many milliseconds to wait before the next try, or undefined if there should be none. */
export function pauseBefore(error: unknown, tries: number): number | undefined {
  const problem = read(error);
  if (tries >= maxTries) return undefined;
  const [retry] = problem.findDetails(RetryInfoSchema);
  // A busy server says when to come back; not all should come back at once. Without that it is full for good, as with a
  // list that is too large.
  if (problem.code === Code.ResourceExhausted) {
    const delay = retry?.retryDelay;
    return delay && (Number(delay.seconds) * 1000 + delay.nanos / 1e6) * (1 + Math.random());
  }
  return problem.code === Code.Unavailable || problem.code === Code.Unknown ? 250 * 2 ** tries : undefined;
}

/** A fetch that failed before any answer came is an error of the network, which has no code of its own. */
const read = (error: unknown) => ConnectError.from(error, error instanceof TypeError ? Code.Unavailable : Code.Unknown);
