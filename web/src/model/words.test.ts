import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { PieceKind, PieceSchema, PositionSchema, Side } from "../gen/arbiter/v1/position_pb";
import { Reason, State, StatusSchema } from "../gen/arbiter/v1/status_pb";
import { VariantSchema } from "../gen/arbiter/v1/variant_pb";
import { helpWords, listWords, missingWords, pieceName, sentence, statusWords } from "./words";

const chess = create(VariantSchema, { checkBinds: true, pieces: [{ kind: PieceKind.ROOK, title: "Rook" }] });
const universes = create(VariantSchema, { checkBinds: false });
const king = { board: "R", square: "e1" };

test.each([
  [chess, { state: State.ONGOING, toMove: Side.WHITE }, "White to move"],
  [chess, { state: State.ONGOING, toMove: Side.BLACK, attackedKings: [king] }, "Black to move: check"],
  [
    universes,
    { state: State.ONGOING, toMove: Side.WHITE, attackedKings: [king] },
    "White to move: the king on R e1 is attacked",
  ],
  [
    universes,
    { state: State.ONGOING, toMove: Side.WHITE, attackedKings: [king, { board: "B", square: "e1" }] },
    "White to move: the kings on R e1 and B e1 are attacked",
  ],
  [
    chess,
    { state: State.ONGOING, toMove: Side.BLACK, repetitions: 2 },
    "Black to move; the position has occurred 2 times",
  ],
  [chess, { state: State.WON, winner: Side.WHITE, reason: Reason.CHECKMATE }, "White won: checkmate"],
  [chess, { state: State.WON, winner: Side.ABOVE, reason: 99 as Reason }, "Above won"],
  [chess, { state: State.DRAWN, reason: Reason.STALEMATE }, "Draw: stalemate"],
])("tells how the game stands", (variant, status, words) => {
  expect(statusWords(variant, create(StatusSchema, status))).toBe(words);
});

test("names pieces with their twin group", () => {
  const rook = { kind: PieceKind.ROOK, side: Side.BLACK };
  expect(pieceName(chess, create(PieceSchema, rook))).toBe("black rook");
  expect(pieceName(chess, create(PieceSchema, { ...rook, twinGroup: 2 }))).toBe("black rook, twin group 2");
  expect(pieceName(chess, create(PieceSchema, { kind: 99 as PieceKind, side: Side.WHITE }))).toBe("white piece");
});

test("lists places", () => {
  const places = ["e4", "e5", "e6"].map((square) => ({ board: "A", square }));
  expect(listWords([])).toBe("");
  expect(listWords(places)).toBe("A e4, A e5 and A e6");
});

test("tells what is missing", () => {
  const missing = new Map([
    ["A", 1],
    ["B", 2],
  ]);
  expect(missingWords(missing)).toBe("1 pawn on board A and 2 pawns on board B");
  expect(missingWords(new Map([["", 1]]))).toBe("1 pawn");
});

test("tells who helps whom", () => {
  expect(helpWords(create(PositionSchema, { aboveArmy: Side.BLACK }))).toBe("Above helps Black, Below helps White.");
  expect(helpWords(create(PositionSchema, {}))).toBe("");
});

test("makes sentences", () => {
  expect(sentence("the way is blocked on a2")).toBe("The way is blocked on a2.");
  expect(sentence("Really?")).toBe("Really?");
});
