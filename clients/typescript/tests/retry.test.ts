/** What is called again, how often, and when not. */

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Code, publishedPolicy, StatusSchema } from "@arbiter/client";
import { create } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { ConnectError } from "@connectrpc/connect";
import { ErrorInfoSchema, RetryInfoSchema } from "../src/gen/google/rpc/error_details_pb.js";
import { all, type Way, ways } from "./clients.js";
import { StandIn } from "./stand_in.js";

/** Much shorter pauses, so that a test is quick. */
const quick = { ...publishedPolicy, initialBackoffMs: 5, maxBackoffMs: 10 };

function unavailable(): ConnectError {
  const info = { desc: ErrorInfoSchema, value: { domain: "arbiter", reason: "UNAVAILABLE" } };
  return new ConnectError("stopping", Code.Unavailable, undefined, [info]);
}

function busy(retryAfterMs: number): ConnectError {
  return new ConnectError("busy", Code.ResourceExhausted, undefined, [
    { desc: ErrorInfoSchema, value: { domain: "arbiter", reason: "BUSY" } },
    { desc: RetryInfoSchema, value: { retryDelay: durationFromMs(retryAfterMs) } },
  ]);
}

/** A server whose calls fail with these errors, one after the other, and then succeed; it notes when each came. */
class Failing {
  readonly times: number[] = [];
  readonly timeouts: number[] = [];

  constructor(private readonly errors: ConnectError[]) {}

  start(way: Way): Promise<StandIn> {
    const meet = (timeoutMs: number | undefined) => {
      this.times.push(performance.now());
      this.timeouts.push(timeoutMs ?? Number.POSITIVE_INFINITY);
      const error = this.errors[this.times.length - 1];
      if (error !== undefined) throw error;
    };
    return StandIn.start(way, {
      gameStatus: (_request, context) => {
        meet(context.timeoutMs());
        return { status: create(StatusSchema, { repetitions: 1 }) };
      },
      async *streamLegalMoves(request, context) {
        meet(context.timeoutMs());
        yield { moves: [{ text: request.position?.variant ?? "no request" }] };
      },
    });
  }

  /** The pauses between the calls that came. */
  get pauses(): number[] {
    return this.times.slice(1).map((time, index) => time - (this.times[index] ?? 0));
  }
}

for (const way of ways) {
  describe(way.name, () => {
    it("calls again while the server is not available, four times at most", async () => {
      for (const failures of [0, 1, 3, 4]) {
        const failing = new Failing(Array.from({ length: failures }, unavailable));
        await using server = await failing.start(way);
        const arbiter = way.connect(server.url, { retry: quick });
        const call = arbiter.status({ variant: "chess" });
        if (failures < 4) assert.equal((await call).repetitions, 1);
        else await assert.rejects(call, { code: Code.Unavailable, reason: "UNAVAILABLE" });
        assert.equal(failing.times.length, Math.min(failures + 1, 4));
      }
    });

    it("waits as the published policy says, and sends the time that is left", async () => {
      const failing = new Failing([unavailable(), unavailable(), unavailable()]);
      await using server = await failing.start(way);
      await way.connect(server.url, { timeoutMs: 10_000 }).status({ variant: "chess" });
      for (const [index, wanted] of [100, 200, 400].entries()) {
        const pause = failing.pauses[index] ?? 0;
        assert.ok(pause >= 0.8 * wanted - 2 && pause < 1.2 * wanted + 1_000, `${failing.pauses}`);
      }
      const [first = 0, second = 0, , last = 0] = failing.timeouts;
      assert.ok(
        first <= 10_000 && first > 5_000 && second <= first - 79 && last <= first - 500,
        `${failing.timeouts}`,
      );
    });

    it("begins a stream again that did not begin", async () => {
      const failing = new Failing([unavailable(), unavailable()]);
      await using server = await failing.start(way);
      const moves = await all(
        way.connect(server.url, { retry: quick }).streamLegalMoves({ variant: "chess" }),
      );
      assert.deepEqual(
        moves.map((move) => move.text),
        ["chess"],
      );
      assert.equal(failing.times.length, 3);
    });

    it("does not begin a stream again that broke", async () => {
      let calls = 0;
      await using server = await StandIn.start(way, {
        async *streamLegalMoves() {
          calls++;
          yield { moves: [{ text: "e2e4" }] };
          throw unavailable();
        },
      });
      const texts: string[] = [];
      await assert.rejects(
        async () => {
          const moves = way.connect(server.url, { retry: quick }).streamLegalMoves({ variant: "chess" });
          for await (const move of moves) texts.push(move.text);
        },
        { code: Code.Unavailable, reason: "UNAVAILABLE" },
      );
      assert.deepEqual([calls, texts], [1, ["e2e4"]]);
    });

    it("calls a busy server again only if asked to, and only after the time it says", async () => {
      const turned = new Failing([busy(150)]);
      await using away = await turned.start(way);
      const call = way.connect(away.url, { retry: quick }).status({ variant: "chess" });
      await assert.rejects(call, { code: Code.ResourceExhausted, reason: "BUSY", retryAfterMs: 150 });
      assert.equal(turned.times.length, 1);

      const patient = new Failing([busy(150)]);
      await using server = await patient.start(way);
      await way.connect(server.url, { retry: { ...quick, retryBusy: true } }).status({ variant: "chess" });
      assert.ok((patient.pauses[0] ?? 0) >= 149, `${patient.pauses}`);
    });

    it("does not wait for an attempt that the deadline would not let begin", async () => {
      const failing = new Failing([busy(60_000)]);
      await using server = await failing.start(way);
      const arbiter = way.connect(server.url, { timeoutMs: 5_000, retry: { ...quick, retryBusy: true } });
      await assert.rejects(arbiter.status({ variant: "chess" }), { reason: "BUSY" });
    });

    it("stops waiting when the caller leaves", async () => {
      const failing = new Failing([unavailable()]);
      await using server = await failing.start(way);
      const arbiter = way.connect(server.url, {
        retry: { ...quick, initialBackoffMs: 60_000, maxBackoffMs: 60_000 },
      });
      const call = arbiter.status({ variant: "chess" }, { timeoutMs: 0, signal: AbortSignal.timeout(2_000) });
      await assert.rejects(call, { code: Code.Canceled });
      assert.equal(failing.times.length, 1);
    });

    it("calls once where retries are off, and where the request is at fault", async () => {
      for (const [retry, error] of [
        [false, unavailable()],
        [quick, new ConnectError("no", Code.InvalidArgument)],
      ] as const) {
        const failing = new Failing([error]);
        await using server = await failing.start(way);
        await assert.rejects(way.connect(server.url, { retry }).status({ variant: "chess" }), {
          code: error.code,
        });
        assert.equal(failing.times.length, 1);
      }
    });

    it("says that nobody is there, after four attempts", async () => {
      let attempts = 0;
      const arbiter = way.connect("http://127.0.0.1:1", {
        retry: {
          ...quick,
          get maxAttempts() {
            attempts++;
            return 4;
          },
        },
      });
      await assert.rejects(arbiter.status({ variant: "chess" }), {
        code: Code.Unavailable,
        reason: undefined,
      });
      assert.equal(attempts, 4);
    });
  });
}
