import { durationMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import type { ErrorReason, PositionFault } from "./gen/arbiter/v1/errors_pb.js";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "./gen/google/rpc/error_details_pb.js";

/** The names of an enum of the contract, and any other string: a newer server may send names unknown today. */
type OpenName<Enum> = Exclude<keyof Enum, "UNSPECIFIED"> | (string & {});

/** Why the service refused a request, for example `INVALID_POSITION`. May grow. */
export type ErrorReasonName = OpenName<typeof ErrorReason>;

/** What is wrong with a position, for example `MISSING_KING`. May grow. */
export type PositionFaultName = OpenName<typeof PositionFault>;

/** A field of the request that is at fault. */
export interface Violation {
  /** The path of the field as the contract names it, for example `position.fen` or `moves[17]`. */
  readonly field: string;
  /** A sentence for people. */
  readonly description: string;
}

/**
 * A call that was not answered: the request cannot be judged, or nobody was there to judge it. An illegal
 * move is no error but an answer. Decide by `code` and `reason`; messages are for people and may change.
 */
export class ArbiterError extends Error {
  override readonly name = "ArbiterError";
  /** The gRPC status code. */
  readonly code: Code;
  /** Why the service refused. Undefined where the error is not the service's: no connection, own deadline. */
  readonly reason: ErrorReasonName | undefined;
  /** The fields at fault, at most 16. */
  readonly violations: readonly Violation[];
  /** With the reason `INVALID_POSITION`: all faults of the position. */
  readonly faults: readonly PositionFaultName[];
  /** With the reason `BUSY`: how long to wait before the next try. */
  readonly retryAfterMs: number | undefined;
  /** More about the reason, by key. */
  readonly metadata: Readonly<Record<string, string>>;
  override readonly cause: ConnectError;

  constructor(cause: ConnectError) {
    const info = cause.findDetails(ErrorInfoSchema).find((info) => info.domain === "arbiter");
    super(info === undefined ? cause.message : `${info.reason}: ${cause.rawMessage}`);
    this.cause = cause;
    this.code = cause.code;
    this.reason = info?.reason;
    this.metadata = info?.metadata ?? {};
    this.faults = this.metadata.faults?.split(",") ?? [];
    this.violations = cause
      .findDetails(BadRequestSchema)
      .flatMap((request) => request.fieldViolations)
      .map(({ field, description }) => ({ field, description }));
    this.retryAfterMs = retryAfterMs(cause);
  }

  /** The error itself, or whatever was thrown as one: a call through the generated client throws ConnectErrors. */
  static from(error: unknown): ArbiterError {
    return error instanceof ArbiterError ? error : new ArbiterError(ConnectError.from(error));
  }

  /** The error for an answer that breaks the contract. */
  static incomplete(what: string): ArbiterError {
    return new ArbiterError(new ConnectError(`the answer lacks ${what}`, Code.Internal));
  }
}

/** How long the service asks to wait before the next try, where it does. */
export function retryAfterMs(error: ConnectError): number | undefined {
  const delay = error.findDetails(RetryInfoSchema)[0]?.retryDelay;
  return delay === undefined ? undefined : durationMs(delay);
}
