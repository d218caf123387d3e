/** How calls end before their time: the caller leaves, the deadline passes, the server goes away. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Code, type Move } from "@arbiter/client";
import { connect as overGrpc } from "@arbiter/client/node";
import { all, ways } from "./clients.js";
import { Server } from "./server.js";
import { StandIn } from "./stand_in.js";

/** A position with 117,988 moves: about 16 MB, far more than is on the way between server and client. */
const long = {
  variant: "doppelganger-bordahbee-extreme",
  fen: "r1bqkbnr/pppp1pp1/8/8/P5P1/2N2n2/1PPPPP1P/1RBQKBNR|rnbqkbnr/2p1ppp1/8/1p1B3p/6P1/8/PPPPPP1P/RNBQ1KNR b Kkq|kq -|- 1 4",
};

/** A server whose calls never end by themselves, and which notes how each did end. */
async function endless(way: (typeof ways)[number]) {
  let ended = () => {};
  const end = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const forever = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => {
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
  return { server, end };
}

for (const way of ways) {
  describe(way.name, () => {
    let server: Server;
    before(async () => {
      server = await Server.start();
    });
    after(() => server.stop());

    it("ends calls by a signal, on both sides", { timeout: 10_000 }, async () => {
      const { server, end } = await endless(way);
      await using _ = server;
      const leaving = new AbortController();
      const call = way.connect(server.url).status({}, { signal: leaving.signal });
      await sleep(200);
      leaving.abort();
      await assert.rejects(call, { code: Code.Canceled, reason: undefined });
      await end;
    });

    it("ends streams by a signal, on both sides", { timeout: 10_000 }, async () => {
      const { server, end } = await endless(way);
      await using _ = server;
      const leaving = new AbortController();
      const moves = way.connect(server.url).streamLegalMoves({}, { signal: leaving.signal });
      assert.equal((await moves.next()).value?.text, "e2e4");
      setTimeout(() => leaving.abort(), 100);
      await assert.rejects(moves.next(), { code: Code.Canceled });
      await end;
    });

    it("ends streams by leaving the iteration, on both sides", { timeout: 10_000 }, async () => {
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

    it("ends calls and streams at the deadline, on both sides", { timeout: 10_000 }, async () => {
      for (const ask of ["status", "stream"] as const) {
        const { server, end } = await endless(way);
        await using _ = server;
        const arbiter = way.connect(server.url, { timeoutMs: 200 });
        const begun = performance.now();
        const call = ask === "status" ? arbiter.status({}) : all(arbiter.streamLegalMoves({}));
        await assert.rejects(call, { code: Code.DeadlineExceeded });
        const taken = performance.now() - begun;
        assert.ok(taken >= 195 && taken < 2_000, `${taken}`);
        await end;
      }
    });

    it("reads the details of an error that ends a stream in its middle", async () => {
      // The server is told of a shorter deadline than the client has, so that the server's word comes first.
      const arbiter = way.connect(server.url, {
        interceptors: [
          (next) => (request) => {
            request.header.set("grpc-timeout", "60m");
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
            if (moves.length === 1) await sleep(150);
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
      await sleep(200);
      const begun = performance.now();
      await left.stop("SIGINT");
      assert.ok(performance.now() - begun < 2_000);

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
      await assert.rejects(all(moves), (error: { code: Code }) => {
        const codes: Code[] = [Code.Unavailable, Code.Aborted, Code.Unknown, Code.Internal, Code.Canceled];
        return codes.includes(error.code);
      });
    });
  });
}

it("does not keep a process running", { timeout: 20_000 }, async () => {
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
  assert.ok(performance.now() - begun < 10_000);
});

it("closes its connection, and opens another when called again", async () => {
  await using server = await Server.start();
  const arbiter = overGrpc(server.url);
  const moves = arbiter.streamLegalMoves(long);
  await moves.next();
  arbiter.close();
  await assert.rejects(all(moves), { name: "ArbiterError" });
  assert.equal((await arbiter.variants()).length, 8);
});

it("finds a server that came back", async () => {
  const first = await Server.start();
  const arbiter = overGrpc(first.url);
  await arbiter.variants();
  await first.stop();
  await using _ = await Server.start(new URL(first.url).host);
  assert.equal((await arbiter.variants()).length, 8);
});
