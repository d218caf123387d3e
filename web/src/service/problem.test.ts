import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { BadRequestSchema, RetryInfoSchema } from "../gen/google/rpc/error_details_pb";
import { pauseBefore, problemOf } from "./problem";

const faulty = (...descriptions: string[]) =>
  new ConnectError("the position has faults", Code.InvalidArgument, undefined, [
    {
      desc: BadRequestSchema,
      value: create(BadRequestSchema, { fieldViolations: descriptions.map((description) => ({ description })) }),
    },
  ]);
const busy = new ConnectError("busy", Code.ResourceExhausted, undefined, [
  { desc: RetryInfoSchema, value: create(RetryInfoSchema, { retryDelay: { seconds: 1n, nanos: 500_000_000 } }) },
]);

test("tells all faults of a request", () => {
  expect(problemOf(faulty("one king too many", "no clock"))).toEqual({
    text: "2 faults were found:",
    faults: ["One king too many.", "No clock."],
    ours: true,
  });
  expect(problemOf(faulty("no clock"))).toEqual({ text: "No clock.", faults: [], ours: true });
  expect(problemOf(faulty())).toEqual({ text: "The position has faults.", faults: [], ours: true });
});

test("takes a failed fetch for a server that is away", () => {
  expect(problemOf(new TypeError("Failed to fetch"))).toMatchObject({
    text: "The server cannot be reached.",
    ours: false,
  });
});

test("waits as long as a busy server says, and up to twice as long", () => {
  const pause = pauseBefore(busy, 1);
  expect(pause).toBeGreaterThanOrEqual(1500);
  expect(pause).toBeLessThanOrEqual(3000);
  // A list that is too large has no time to wait for.
  expect(pauseBefore(new ConnectError("too large", Code.ResourceExhausted), 1)).toBeUndefined();
});

test("tries again what failed in passing, with longer and longer pauses, and not for ever", () => {
  const away = new ConnectError("stopping", Code.Unavailable);
  expect([1, 2, 3, 4].map((tries) => pauseBefore(away, tries))).toEqual([500, 1000, 2000, undefined]);
  for (const code of [Code.InvalidArgument, Code.DeadlineExceeded, Code.Internal, Code.Canceled]) {
    expect(pauseBefore(new ConnectError("", code), 1)).toBeUndefined();
  }
});
