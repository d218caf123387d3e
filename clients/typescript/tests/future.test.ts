/** Answers of a later release, which may hold values that this one does not know, and numbers of 64 bits. */

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  type ArbiterError,
  type Change,
  type ChangeCause,
  Code,
  IllegalReason,
  type PieceKind,
  PieceSchema,
  type Position,
  PositionSchema,
  PositionView,
  type State,
} from "@arbiter/client";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import { ErrorInfoSchema } from "../src/gen/google/rpc/error_details_pb.js";
import { ways } from "./clients.js";
import { StandIn } from "./stand_in.js";

/** Field 1000 of a message, a string of three bytes, which no message of the contract has. */
const unknownField = { no: 1000, wireType: 2, data: new Uint8Array([3, 0xc3, 0xa9, 0x21]) };

/** Keys in which every byte from 0 to 255 stands, as none of them is text. */
const history = Uint8Array.from({ length: 256 }, (_, index) => index);

for (const way of ways) {
  describe(way.name, () => {
    it("hands a position back with all that it holds, byte for byte", async () => {
      const given: Position = create(PositionSchema, { variant: "chess", fen: "some", history });
      given.$unknown = [unknownField];
      const received: Position[] = [];
      await using server = await StandIn.start(way, {
        getInitialPosition: () => ({ position: given }),
        applyMove: ({ position, move }) => {
          assert.ok(position);
          received.push(position);
          return { legal: true, position, status: { repetitions: 1 }, move };
        },
      });
      const arbiter = way.connect(server.url);
      const position = await arbiter.initialPosition("chess");
      assert.deepEqual(position.history, history);
      const played = await arbiter.applyMove(position, "e2e4");
      assert.ok(played.legal);
      for (const one of [position, received[0], played.position]) {
        assert.ok(one);
        assert.deepEqual(toBinary(PositionSchema, one), toBinary(PositionSchema, given));
      }
      // The same after the position was stored.
      const stored = fromBinary(PositionSchema, toBinary(PositionSchema, position));
      await arbiter.applyMove(stored, "e2e4");
      assert.ok(received[1]);
      assert.deepEqual(toBinary(PositionSchema, received[1]), toBinary(PositionSchema, given));
    });

    it("keeps enum values that it does not know, and sends them back", async () => {
      const kind = 77 as PieceKind;
      const seen: number[] = [];
      await using server = await StandIn.start(way, {
        applyMove: ({ move, positionView }) => {
          seen.push(positionView, move?.steps[0]?.promotion ?? 0);
          if (positionView === PositionView.FULL) {
            return { legal: false, illegality: { reason: 99 as IllegalReason, message: "the moon is full" } };
          }
          const added = create(PieceSchema, { kind, square: "e4" });
          const changes = [{ cause: 88 as ChangeCause, added } as Change];
          return { legal: true, position: {}, move, changes, status: { state: 66 as State } };
        },
      });
      const arbiter = way.connect(server.url);
      const move = { steps: [{ fromSquare: "e7", toSquare: "e8", promotion: kind }] };
      const played = await arbiter.applyMove({ variant: "chess" }, move, {
        positionView: 55 as PositionView,
      });
      assert.ok(played.legal);
      assert.deepEqual(
        [played.status.state, played.changes[0]?.cause, played.changes[0]?.added?.kind],
        [66, 88, 77],
      );
      assert.equal(played.move.steps[0]?.promotion, 77);
      assert.deepEqual(seen, [55, 77]);
      const refused = await arbiter.applyMove({ variant: "chess" }, "e2e4", {
        positionView: PositionView.FULL,
      });
      assert.ok(!refused.legal);
      assert.equal(refused.illegality.reason, 99);
      assert.equal(IllegalReason[refused.illegality.reason], undefined);
      assert.equal(refused.illegality.message, "the moon is full");
    });

    it("counts exactly up to 64 bits", async () => {
      // The first number that a JavaScript number cannot hold, and the last that the contract can.
      const counts = [0n, 1n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n - 1n];
      await using server = await StandIn.start(way, {
        legalMoves: ({ pageSize }) => ({ totalSize: counts[pageSize] ?? 0n, nextPageToken: "" }),
      });
      const arbiter = way.connect(server.url);
      for (const [pageSize, count] of counts.entries()) {
        const answer = await arbiter.client.legalMoves({ pageSize });
        assert.equal(answer.totalSize, count);
      }
      await using same = await StandIn.start(way, { legalMoves: () => ({ totalSize: 2n ** 53n + 1n }) });
      assert.equal(await way.connect(same.url).countLegalMoves({ variant: "chess" }), 9007199254740993n);
    });

    it("gives reasons that it does not know as they are, and those of others not at all", async () => {
      const details = (domain: string) => [
        {
          desc: ErrorInfoSchema,
          value: { domain, reason: "FULL_MOON", metadata: { faults: "TIDE,NIGHT", more: "x" } },
        },
      ];
      let domain = "arbiter";
      await using server = await StandIn.start(way, {
        gameStatus: () => {
          throw new ConnectError("not tonight", Code.FailedPrecondition, undefined, details(domain));
        },
      });
      const refusal = () =>
        way
          .connect(server.url)
          .status({})
          .catch((error: ArbiterError) => error);
      const ours = await refusal();
      assert.ok(ours instanceof Error);
      assert.deepEqual(
        [ours.code, ours.reason, ours.faults],
        [Code.FailedPrecondition, "FULL_MOON", ["TIDE", "NIGHT"]],
      );
      assert.equal(ours.metadata.more, "x");
      assert.equal(ours.message, "FULL_MOON: not tonight");
      domain = "proxy.example.com";
      const theirs = await refusal();
      assert.ok(theirs instanceof Error);
      assert.deepEqual([theirs.code, theirs.reason, theirs.faults], [Code.FailedPrecondition, undefined, []]);
    });

    it("does not take half an answer for a whole one", async () => {
      await using server = await StandIn.start(way, {
        applyMove: () => ({ legal: true }),
        gameStatus: () => ({}),
        legalSteps: () => ({ legal: false }),
      });
      const arbiter = way.connect(server.url);
      await assert.rejects(arbiter.applyMove({}, "e2e4"), { code: Code.Internal, message: /lacks position/ });
      await assert.rejects(arbiter.status({}), { code: Code.Internal, message: /lacks status/ });
      await assert.rejects(arbiter.legalSteps({}), { code: Code.Internal, message: /lacks illegality/ });
    });

    it("asks for the positions of a game until it has all", async () => {
      const parts: string[] = [];
      await using server = await StandIn.start(way, {
        // Three positions fit an answer, and all but them tells of the whole game.
        replayGame: ({ position, moves }) => {
          parts.push(`${position?.fen}: ${moves.join(" ")}`);
          const positions = moves.slice(0, 3).map((move) => ({ fen: `after ${move}` }));
          const nextMoveIndex = moves.length > 3 ? 3 : 0;
          const end = { fen: `after ${moves.at(-1)}` };
          return { legal: true, canonicalMoves: moves, position: end, status: {}, positions, nextMoveIndex };
        },
      });
      const moves = ["a", "b", "c", "d", "e", "f", "g"];
      const game = await way.connect(server.url).replay({ fen: "start" }, moves, { everyPosition: true });
      assert.ok(game.legal);
      assert.deepEqual(parts, ["start: a b c d e f g", "after c: d e f g", "after f: g"]);
      assert.deepEqual(
        game.positions.map((position) => position.fen),
        moves.map((move) => `after ${move}`),
      );
      assert.deepEqual([game.canonicalMoves, game.position.fen], [moves, "after g"]);
    });
  });
}
