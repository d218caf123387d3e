export { Code } from "@connectrpc/connect";
export type { Game, Illegal, IllegalGame, LegalGame, NextSteps, Played } from "./answers.js";
export {
  Arbiter,
  type ArbiterOptions,
  type CallOptions,
  type FilterInit,
  type ListOptions,
  type MoveInit,
  type PositionInit,
  type StepInit,
  type ViewOptions,
} from "./arbiter.js";
export { ArbiterError, type ErrorReasonName, type PositionFaultName, type Violation } from "./errors.js";
export * from "./gen/arbiter/v1/errors_pb.js";
export * from "./gen/arbiter/v1/illegality_pb.js";
export * from "./gen/arbiter/v1/listing_pb.js";
export * from "./gen/arbiter/v1/move_pb.js";
export * from "./gen/arbiter/v1/playing_pb.js";
export * from "./gen/arbiter/v1/position_pb.js";
export * from "./gen/arbiter/v1/service_pb.js";
export * from "./gen/arbiter/v1/starting_pb.js";
export * from "./gen/arbiter/v1/status_pb.js";
export * from "./gen/arbiter/v1/variant_pb.js";
export { publishedPolicy, type RetryPolicy, retry } from "./retry.js";
