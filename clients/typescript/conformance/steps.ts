/** The exact text of steps, written once more from the contract alone, to find out whether the service keeps to it. */

import { type Location, PieceKind, type Step } from "@arbiter/client";

const PROMOTIONS: ReadonlyMap<PieceKind, string> = new Map([
  [PieceKind.UNSPECIFIED, ""],
  [PieceKind.QUEEN, "q"],
  [PieceKind.ROOK, "r"],
  [PieceKind.BISHOP, "b"],
  [PieceKind.KNIGHT, "n"],
  [PieceKind.SHIP, "s"],
  [PieceKind.ARCHER, "a"],
]);

/** The text of a move of these steps. */
export function moveText(steps: readonly Step[]): string {
  return steps.map(stepText).join("/");
}

export function stepText(step: Step): string {
  const local = (at: Location) => (at.board === step.board ? at.square : withBoard(at.board, at.square));
  const destination = step.toBoard === "" ? step.toSquare : `-${step.toBoard}:${step.toSquare}`;
  const promotion = PROMOTIONS.get(step.promotion) ?? `=${step.promotion}`;
  const twin = step.twin === undefined ? "" : `+${local(step.twin)}`;
  const removals = step.removals.length === 0 ? "" : `x${step.removals.map(local).join(",")}`;
  return withBoard(step.board, step.fromSquare) + destination + promotion + twin + removals;
}

/** A square with its board, where boards have names. */
export function withBoard(board: string, square: string): string {
  return board === "" ? square : `${board}:${square}`;
}
