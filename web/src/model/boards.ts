import { type Change, ChangeCause } from "../gen/arbiter/v1/move_pb";
import type { Piece, Position } from "../gen/arbiter/v1/position_pb";
import type { Place } from "./places";

/** A board as it is drawn. */
export interface Board {
  name: string;
  vanished: boolean;
  /** By the name of the square. */
  pieces: ReadonlyMap<string, Piece>;
}

export const boardsOf = (position: Position): Board[] =>
  position.boards.map(({ name, vanished, pieces }) => ({
    name,
    vanished,
    pieces: new Map(pieces.map((piece) => [piece.square, piece])),
  }));

export const pieceAt = (boards: Board[], at: Place): Piece | undefined =>
  boards.find((board) => board.name === at.board)?.pieces.get(at.square);

/** The boards after the changes, as the contract says to apply them. The boards given stay as they are. */
export function applyChanges(boards: Board[], changes: Change[]): Board[] {
  const after = new Map(boards.map((board) => [board.name, { ...board, pieces: new Map(board.pieces) }]));
  for (const { cause, at, from, removed, added } of changes) {
    if (from) after.get(from.board)?.pieces.delete(from.square);
    const board = at && after.get(at.board);
    if (!board) continue;
    if (removed) board.pieces.delete(at.square);
    if (added) board.pieces.set(at.square, added);
    if (cause === ChangeCause.VANISHED) board.vanished = true;
  }
  return [...after.values()];
}
