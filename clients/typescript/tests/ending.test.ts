/** How calls end before their time: the caller leaves, the deadline passes, the server goes away. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Code, type Move, publishedPolicy } from "@arbiter/client";
import { connect as overGrpc } from "@arbiter/client/node";
import { all, grpc, type Way, ways } from "./clients.js";
import { Server } from "./server.js";
import { StandIn } from "./stand_in.js";

/** A position with 117,988 moves: about 16 MB, far more than is on the way between server and client. */
const long = {
  variant: "doppelganger-bordahbee-extreme",
  fen: "r1bqkbnr/pppp1pp1/8/8/P5P1/2N2n2/1PPPPP1P/1RBQKBNR|rnbqkbnr/2p1ppp1/8/1p1B3p/6P1/8/PPPPPP1P/RNBQ1KNR b Kkq|kq -|- 1 4",
};

/** A server whose calls never end by themselves, and which tells when one began and when it ended. */
async function endless(way: Way) {
  let began = () => {};
  const begin = new Promise<void>((resolve) => {
    began = resolve;
  });
  let ended = () => {};
  const end = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const forever = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => {
      began();
      signal.addEventListener("abort", () => {
        ended();
        reject(signal.reason);
      });
    });
  const server = await StandIn.start(way, {
    gameStatus: (_request, context) => forever(context.signal),
    async *streamLegalMoves(_request, context) {
      yield { moves: [{ text: "e2e4" }] };
      await forever(context.signal);
    },
  });
  return { server, begin, end };
}

for (const way of ways) {
  describe(way.name, () => {
    let server: Server;
    before(async () => {
      server = await Server.start();
    });
    after(() => server.stop());

    it("ends calls by a signal, on both sides", { timeout: 20_000 }, async () => {
      const { server, begin, end } = await endless(way);
      await using _ = server;
      const leaving = new AbortController();
      const call = way.connect(server.url).status({}, { signal: leaving.signal });
      await begin;
      leaving.abort();
      await assert.rejects(call, { code: Code.Canceled, reason: undefined });
      await end;
    });

    it("ends streams by a signal, on both sides", { timeout: 20_000 }, async () => {
      const { server, end } = await endless(way);
      await using _ = server;
      const leaving = new AbortController();
      const moves = way.connect(server.url).streamLegalMoves({}, { signal: leaving.signal });
      assert.equal((await moves.next()).value?.text, "e2e4");
      setTimeout(() => leaving.abort(), 100);
      await assert.rejects(moves.next(), { code: Code.Canceled });
      await end;
    });

    it("ends streams by leaving the iteration, on both sides", { timeout: 20_000 }, async () => {
      const { server, end } = await endless(way);
      await using _ = server;
      for await (const move of way.connect(server.url).streamLegalMoves({})) {
        assert.equal(move.text, "e2e4");
        break;
      }
      await end;
    });

    it("does not begin calls with a signal that was given before", async () => {
      const signal = AbortSignal.abort();
      const arbiter = way.connect(server.url);
      await assert.rejects(arbiter.variants({ signal }), { code: Code.Canceled });
      await assert.rejects(all(arbiter.streamLegalMoves(long, { signal })), { code: Code.Canceled });
      await assert.rejects(all(arbiter.legalMoves(long, { signal })), { code: Code.Canceled });
    });

    it("ends calls and streams at the deadline, on both sides", { timeout: 20_000 }, async () => {
      for (const ask of ["status", "stream"] as const) {
        const { server, end } = await endless(way);
        await using _ = server;
        const arbiter = way.connect(server.url, { timeoutMs: 1_500 });
        const begun = performance.now();
        const call = ask === "status" ? arbiter.status({}) : all(arbiter.streamLegalMoves({}));
        await assert.rejects(call, { code: Code.DeadlineExceeded });
        const taken = performance.now() - begun;
        assert.ok(taken >= 1_495 && taken < 5_000, `${taken}`);
        await end;
      }
    });

    it("reads the details of an error that ends a stream in its middle", async () => {
      // The server is told of a shorter deadline than the client has, so that the server's word comes first.
      const arbiter = way.connect(server.url, {
        interceptors: [
          (next) => (request) => {
            request.header.set("grpc-timeout", "500m");
            return next(request);
          },
        ],
        retry: false,
      });
      const moves: Move[] = [];
      await assert.rejects(
        async () => {
          for await (const move of arbiter.streamLegalMoves(long)) {
            moves.push(move);
            // Who reads slowly is certainly not done in time.
            if (moves.length === 1) await sleep(800);
          }
        },
        { code: Code.DeadlineExceeded, reason: "DEADLINE_EXCEEDED" },
      );
      assert.ok(moves.length > 0 && moves.length < 117_988, `${moves.length}`);
    });

    it("leaves nothing behind on the service when a stream is left", { timeout: 20_000 }, async () => {
      // Asked to stop, the service lets open calls end first: so it stops at once only if none is open.
      const left = await Server.start();
      for await (const move of way.connect(left.url).streamLegalMoves(long)) {
        assert.ok(move.text !== "");
        break;
      }
      const begun = performance.now();
      await left.stop("SIGINT");
      assert.ok(performance.now() - begun < 5_000);

      // And it does not while one is.
      const held = await Server.start();
      const moves = way.connect(held.url).streamLegalMoves(long);
      await moves.next();
      const stopped = held.stop("SIGINT").then(() => "stopped");
      assert.equal(await Promise.race([stopped, sleep(1_000, "open")]), "open");
      await moves.return();
      assert.equal(await stopped, "stopped");
    });

    it("tells of a server that goes away in the middle of a stream", async () => {
      const killed = await Server.start();
      const moves = way.connect(killed.url).streamLegalMoves(long);
      await moves.next();
      await killed.stop();
      await assert.rejects(all(moves), { name: "ArbiterError", code: Code.Unavailable });
    });
  });
}

it("does not keep a process running", { timeout: 60_000 }, async () => {
  await using server = await Server.start();
  const program = `
    for (const way of ["node", "web"]) {
      const { connect } = await import("@arbiter/client/" + way);
      const arbiter = connect("${server.url}");
      await arbiter.variants();
      for await (const move of arbiter.streamLegalMoves(${JSON.stringify(long)})) break;
    }`;
  const begun = performance.now();
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], { stdio: "inherit" });
  const [code] = await once(child, "exit");
  assert.equal(code, 0);
  // The deadlines of the calls, after which their timers would end, are at 30 seconds.
  assert.ok(performance.now() - begun < 20_000);
});

it("closes its connection, and opens another when called again", async () => {
  await using server = await Server.start();
  const arbiter = overGrpc(server.url);
  const moves = arbiter.streamLegalMoves(long);
  await moves.next();
  arbiter.close();
  await assert.rejects(all(moves), { name: "ArbiterError", code: Code.Canceled });
  assert.equal((await arbiter.variants()).length, 8);
});

for (const way of ways) {
  it(`loses no call when another server takes the place of one that died, ${way.name}`, {
    timeout: 30_000,
  }, async () => {
    const first = await Server.start();
    const arbiter = way.connect(first.url, { retry: { ...publishedPolicy, maxAttempts: 100 } });
    let calls = 0;
    let isOver = false;
    const ask = async () => {
      for (; !isOver; calls++) assert.equal(await arbiter.countLegalMoves({ variant: "bordahbee" }), 256n);
    };
    const asking = Promise.all(Array.from({ length: 8 }, ask));
    await Promise.race([asking, sleep(300)]);
    await first.stop();
    const before = calls;
    await using _ = await Server.start(["--listen", new URL(first.url).host]);
    while (calls < before + 50) await Promise.race([asking, sleep(20)]);
    isOver = true;
    await asking;
  });
}

it("goes on over another connection when the server ends the one it has", async () => {
  let calls = 0;
  await using server = await StandIn.start(grpc, {
    listVariants: () => {
      calls++;
      return { variants: [] };
    },
    async *streamLegalMoves() {
      for (const text of ["e2e4", "d2d4", "c2c4"]) {
        yield { moves: [{ text }] };
        await sleep(100);
      }
    },
  });
  const arbiter = overGrpc(server.url);
  // What is on the way is not lost.
  const streamed = all(arbiter.streamLegalMoves({}));
  for (let round = 0; round < 10; round++) {
    await arbiter.variants();
    server.renewConnections();
  }
  assert.equal((await streamed).length, 3);
  assert.equal(calls, 10);
});
