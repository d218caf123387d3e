/** What the service answers, through both ways of calling. */

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  type Arbiter,
  ArbiterError,
  ChangeCause,
  Code,
  IllegalReason,
  MoveView,
  PieceKind,
  PositionView,
  publishedPolicy,
  Reason,
  Side,
  State,
} from "@arbiter/client";
import { connect as overGrpc } from "@arbiter/client/node";
import type { Interceptor } from "@connectrpc/connect";
import { all, ways } from "./clients.js";
import { Server } from "./server.js";

let server: Server;
before(async () => {
  server = await Server.start();
});
after(() => server.stop());

for (const way of ways) {
  describe(way.name, () => {
    let arbiter: Arbiter;
    const paths: string[] = [];
    before(() => {
      const notes: Interceptor = (next) => (request) => {
        paths.push(request.method.name);
        return next(request);
      };
      arbiter = way.connect(server.url, { interceptors: [notes] });
    });

    it("lists the variants", async () => {
      const variants = await arbiter.variants();
      assert.equal(variants.length, 8);
      const gamma2 = variants.find((variant) => variant.id === "gamma2");
      assert.deepEqual(
        gamma2?.boards.map((board) => [board.files, board.ranks]),
        [[10, 8]],
      );
    });

    it("gives initial positions, with what was asked for", async () => {
      const bare = await arbiter.initialPosition("chess");
      assert.equal(bare.fen, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
      assert.equal(bare.boards.length, 0);
      const full = await arbiter.initialPosition("influence", {
        aboveArmy: Side.BLACK,
        positionView: PositionView.FULL,
      });
      assert.equal(full.aboveArmy, Side.BLACK);
      assert.deepEqual(
        full.boards.map((board) => board.name),
        ["A", "M", "B"],
      );
    });

    it("takes pages only as moves are taken, and all of them in the end", async () => {
      const position = { variant: "chess" };
      paths.length = 0;
      const some: string[] = [];
      for await (const move of arbiter.legalMoves(position, { pageSize: 4 })) {
        some.push(move.text);
        if (some.length === 5) break;
      }
      assert.deepEqual(paths, ["LegalMoves", "LegalMoves"]);
      const paged = await all(arbiter.legalMoves(position, { pageSize: 4 }));
      assert.equal(paths.length, 2 + 5);
      assert.deepEqual(
        some,
        paged.slice(0, 5).map((move) => move.text),
      );
      assert.deepEqual(paged, await all(arbiter.streamLegalMoves(position)));
      assert.equal(await arbiter.countLegalMoves(position), 20n);
    });

    it("filters lists, counts and steps", async () => {
      const position = { variant: "bordahbee" };
      const filter = { board: "B", fromSquare: "b1" };
      const moves = await all(arbiter.legalMoves(position, { filter, moveView: MoveView.TEXT }));
      assert.ok(
        moves.length > 0 && moves.every((move) => move.text.startsWith("B:b1") && move.steps.length === 0),
      );
      assert.deepEqual(
        moves,
        await all(arbiter.streamLegalMoves(position, { filter, moveView: MoveView.TEXT })),
      );
      assert.equal(await arbiter.countLegalMoves(position, { filter }), BigInt(moves.length));
      const next = await arbiter.legalSteps(position, { filter });
      assert.ok(next.legal && !next.complete);
      assert.deepEqual(
        next.steps.map((step) => step.toSquare),
        ["a3", "c3"],
      );
    });

    it("sends the first of the moves that lead to one position", async () => {
      const position = { variant: "three-universes" };
      const every = await arbiter.countLegalMoves(position);
      const distinct = await all(arbiter.streamLegalMoves(position, { distinctPositions: true }));
      assert.ok(distinct.length > 0 && BigInt(distinct.length) < every);
    });

    it("takes all pages of steps", async () => {
      // A capture of a pawn, after which White chooses pawns to remove: more than a thousand ways.
      const position = {
        variant: "doppelganger-bordahbee-extreme",
        fen: "r1bqkbnr/pppp1pp1/8/8/P5P1/2N2n2/1PPPPP1P/1RBQKBNR|rnbqkbnr/2p1ppp1/8/1p1B3p/6P1/8/PPPPPP1P/RNBQ1KNR b Kkq|kq -|- 1 4",
      };
      paths.length = 0;
      const next = await arbiter.legalSteps(position);
      assert.ok(next.legal && next.steps.length > 1_000, JSON.stringify(next.legal && next.steps.length));
      assert.equal(paths.length, Math.ceil(next.steps.length / 1_000));
      const single = await arbiter.client.legalSteps({ position, pageSize: 10_000 });
      assert.deepEqual(next.steps, single.steps);
    });

    it("walks through a move of two steps", async () => {
      const position = await arbiter.initialPosition("bordahbee");
      const first = await arbiter.legalSteps(position, {
        filter: { board: "A", fromSquare: "e2", toSquare: "e4" },
      });
      assert.ok(first.legal);
      const [pawn] = first.steps;
      assert.ok(pawn);
      const second = await arbiter.legalSteps(position, { prefix: [pawn], filter: { toSquare: "f3" } });
      assert.ok(second.legal && !second.complete);
      assert.deepEqual(
        second.changes.map((change) => change.cause),
        [ChangeCause.MOVED],
      );
      const [knight] = second.steps;
      assert.ok(knight);
      const whole = await arbiter.legalSteps(position, { prefix: [pawn, knight] });
      assert.ok(whole.legal && whole.complete && whole.steps.length === 0);
      const played = await arbiter.applyMove(position, { steps: [pawn, knight] });
      assert.ok(played.legal);
      assert.equal(played.move.text, "A:e2e4/B:g1f3");
      const same = await arbiter.applyMove(position, "A:e2e4/B:g1f3");
      assert.deepEqual(same, played);
    });

    it("says why a step or a move is illegal", async () => {
      const refused = await arbiter.applyMove({ variant: "chess" }, "a1a3");
      assert.ok(!refused.legal);
      assert.equal(refused.illegality.reason, IllegalReason.PATH_BLOCKED);
      assert.deepEqual(
        refused.illegality.squares.map((at) => at.square),
        ["a2"],
      );
      const prefix = [{ fromSquare: "e4", toSquare: "e5" }];
      const empty = await arbiter.legalSteps({ variant: "chess" }, { prefix });
      assert.ok(!empty.legal);
      assert.equal(empty.illegality.reason, IllegalReason.NO_PIECE);
    });

    it("notices repetition by the positions handed back", async () => {
      let position = await arbiter.initialPosition("chess");
      const knights = ["g1f3", "g8f6", "f3g1", "f6g8"];
      for (const [index, move] of [...knights, ...knights].entries()) {
        const played = await arbiter.applyMove(position, move);
        assert.ok(played.legal, move);
        position = played.position;
        assert.equal(position.history.length, 8 * (index + 1));
      }
      const status = await arbiter.status(position);
      assert.equal(status.repetitions, 3);
      assert.deepEqual([status.state, status.reason], [State.DRAWN, Reason.THREEFOLD_REPETITION]);
      // The keys are part of it: without them nothing was repeated.
      const { variant, fen } = position;
      assert.equal((await arbiter.status({ variant, fen })).state, State.ONGOING);
    });

    it("replays games, and tells where one goes wrong", async () => {
      const moves = ["e2e4", "e7-e5", "Ng1-f3"];
      const game = await arbiter.replay({ variant: "chess" }, moves, { everyPosition: true });
      assert.ok(game.legal);
      assert.deepEqual(game.canonicalMoves, ["e2e4", "e7e5", "g1f3"]);
      assert.equal(game.positions.length, 3);
      assert.deepEqual(game.positions[2], game.position);
      for (const [badMoveIndex, text] of [
        [0, "e2e5"],
        [2, "Ng1-g3"],
      ] as const) {
        const bad = await arbiter.replay({ variant: "chess" }, [...moves.slice(0, badMoveIndex), text]);
        assert.ok(!bad.legal);
        assert.equal(bad.badMoveIndex, badMoveIndex);
        assert.equal(bad.illegality.reason, IllegalReason.PIECE_DOES_NOT_MOVE_SO);
        assert.equal(bad.canonicalMoves.length, badMoveIndex);
      }
    });

    it("takes structures and gives them back", async () => {
      const boards = [
        {
          pieces: [
            { square: "a1", kind: PieceKind.KING, side: Side.WHITE },
            { square: "h8", kind: PieceKind.KING, side: Side.BLACK },
          ],
        },
      ];
      const position = { variant: "chess", boards, toMove: Side.BLACK };
      const played = await arbiter.applyMove(position, "h8g8", { positionView: PositionView.FULL });
      assert.ok(played.legal);
      assert.equal(played.position.fen, "6k1/8/8/8/8/8/8/K7 w - - 1 2");
      assert.deepEqual(
        played.position.boards[0]?.pieces.map((piece) => piece.square),
        ["a1", "g8"],
      );
    });

    it("throws what the service refuses, with all its details", async () => {
      const refusal = async (call: Promise<unknown>) => {
        const error: unknown = await call.then(
          () => undefined,
          (error) => error,
        );
        assert.ok(error instanceof ArbiterError, String(error));
        return error;
      };
      const fen = "KKk5/8/8/8/8/8/8/p7 x KQkq e3 10001 0";
      const bad = await refusal(arbiter.status({ variant: "chess", fen }));
      assert.deepEqual([bad.code, bad.reason], [Code.InvalidArgument, "INVALID_POSITION"]);
      const faults = ["BAD_CASTLING_RIGHT", "BAD_CLOCK", "BAD_TURN", "PAWN_ON_BACK_RANK", "TOO_MANY_KINGS"];
      assert.deepEqual([...new Set(bad.faults)].sort(), faults);
      assert.equal(bad.violations.length, 9);
      assert.ok(bad.violations.every(({ field }) => field === "position.fen"));
      assert.ok(bad.message.startsWith("INVALID_POSITION: "));
      assert.equal(bad.retryAfterMs, undefined);

      // Errors of streams, and of pages, come out of the iteration.
      const filter = { board: "Z" };
      for (const list of [
        arbiter.legalMoves({ variant: "chess" }, { filter }),
        arbiter.streamLegalMoves({ variant: "chess" }, { filter }),
      ]) {
        const error = await refusal(all(list));
        assert.deepEqual([error.reason, error.violations[0]?.field], ["INVALID_FILTER", "filter.board"]);
      }

      for (const text of ["♞🂡\u0000", "x".repeat(100_000)]) {
        const error = await refusal(arbiter.replay({ variant: "chess" }, ["e2e4", text]));
        assert.deepEqual([error.reason, error.violations[0]?.field], ["UNREADABLE_MOVE", "moves[1]"]);
      }
      const history = new Uint8Array(7);
      assert.equal((await refusal(arbiter.status({ variant: "chess", history }))).reason, "INVALID_HISTORY");

      // The generated client throws ConnectErrors, which hold the same.
      const plain = await arbiter.client.gameStatus({ position: { variant: "go" } }).catch(ArbiterError.from);
      assert.ok(plain instanceof ArbiterError && plain.reason === "UNKNOWN_VARIANT");
    });
  });
}

// Over HTTP/1.1 the server answers before it has read all, and then the answer may be lost.
it("throws what is larger than the server receives", async () => {
  const arbiter = overGrpc(server.url);
  const call = arbiter.status({ variant: "chess", fen: "K".repeat(5 << 20) });
  await assert.rejects(call, { code: Code.OutOfRange, reason: "REQUEST_TOO_LARGE" });
});

it("says when to come back to a busy server, and comes back if asked to", async () => {
  await using server = await Server.start(["--max-calls", "1"]);
  const position = {
    variant: "doppelganger-bordahbee-extreme",
    fen: "r1bqkbnr/pppp1pp1/8/8/P5P1/2N2n2/1PPPPP1P/1RBQKBNR|rnbqkbnr/2p1ppp1/8/1p1B3p/6P1/8/PPPPPP1P/RNBQ1KNR b Kkq|kq -|- 1 4",
  };
  // A stream that nobody reads to its end is an open call.
  const moves = overGrpc(server.url).streamLegalMoves(position);
  await moves.next();
  const call = overGrpc(server.url).variants();
  await assert.rejects(call, (error: ArbiterError) => {
    assert.deepEqual([error.code, error.reason], [Code.ResourceExhausted, "BUSY"]);
    assert.ok(error.retryAfterMs !== undefined && error.retryAfterMs > 0, `${error.retryAfterMs}`);
    return true;
  });
  const patient = overGrpc(server.url, { retry: { ...publishedPolicy, maxAttempts: 100, retryBusy: true } });
  const patiently = patient.variants();
  await moves.return();
  assert.equal((await patiently).length, 8);
});
