import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { type Change, ChangeCause, ChangeSchema } from "../gen/arbiter/v1/move_pb";
import { PieceKind, PositionSchema, Side } from "../gen/arbiter/v1/position_pb";
import { applyChanges, boardsOf, pieceAt } from "./boards";

const white = (square: string, kind: PieceKind) => ({ square, kind, side: Side.WHITE });
const black = (square: string, kind: PieceKind) => ({ square, kind, side: Side.BLACK });
const change = (init: Parameters<typeof create<typeof ChangeSchema>>[1]): Change => create(ChangeSchema, init);
const on = (board: string, square: string) => ({ board, square });

const start = boardsOf(
  create(PositionSchema, {
    boards: [
      { name: "R", pieces: [white("a1", PieceKind.ROOK), black("h8", PieceKind.KING)] },
      { name: "G", pieces: [black("c4", PieceKind.PAWN)] },
    ],
  }),
);

test("moves a piece to another board over what it captures", () => {
  const after = applyChanges(start, [
    change({ cause: ChangeCause.CAPTURED, at: on("G", "c4"), removed: black("c4", PieceKind.PAWN) }),
    change({ cause: ChangeCause.MOVED, at: on("G", "c4"), from: on("R", "a1"), added: white("c4", PieceKind.ROOK) }),
  ]);
  expect(pieceAt(after, on("R", "a1"))).toBeUndefined();
  expect(pieceAt(after, on("G", "c4"))).toMatchObject({ kind: PieceKind.ROOK, side: Side.WHITE });
  // What was given is as it was.
  expect(pieceAt(start, on("R", "a1"))).toMatchObject({ kind: PieceKind.ROOK });
  expect(pieceAt(start, on("G", "c4"))).toMatchObject({ side: Side.BLACK });
});

test("promotes where the pawn stands, and removes what is not captured", () => {
  const after = applyChanges(start, [
    change({
      cause: ChangeCause.TWIN_PROMOTED,
      at: on("G", "c4"),
      removed: black("c4", PieceKind.PAWN),
      added: { ...black("c4", PieceKind.KNIGHT), twinGroup: 1 },
    }),
    change({ cause: ChangeCause.TWIN_REMOVED, at: on("R", "a1"), removed: white("a1", PieceKind.ROOK) }),
  ]);
  expect(pieceAt(after, on("G", "c4"))).toMatchObject({ kind: PieceKind.KNIGHT, twinGroup: 1 });
  expect(pieceAt(after, on("R", "a1"))).toBeUndefined();
});

test("lets a universe vanish", () => {
  const after = applyChanges(start, [
    change({ cause: ChangeCause.VANISHED, at: on("R", "a1"), removed: white("a1", PieceKind.ROOK) }),
    change({ cause: ChangeCause.VANISHED, at: on("R", "h8"), removed: black("h8", PieceKind.KING) }),
  ]);
  expect(after[0]).toMatchObject({ name: "R", vanished: true });
  expect(after[0]?.pieces.size).toBe(0);
  expect(after[1]?.vanished).toBe(false);
});

test("applies a change of an unknown cause as its fields say", () => {
  const after = applyChanges(start, [
    change({ cause: 99 as ChangeCause, at: on("R", "b2"), from: on("R", "a1"), added: white("b2", PieceKind.QUEEN) }),
    change({ cause: ChangeCause.MOVED, at: on("X", "a1"), added: white("a1", PieceKind.ROOK) }),
  ]);
  expect(pieceAt(after, on("R", "b2"))).toMatchObject({ kind: PieceKind.QUEEN });
});
