import type { Step } from "../gen/arbiter/v1/move_pb";

/** A square of a board, as in the contract's Location. The board is empty in variants with one board. */
export interface Place {
  board: string;
  square: string;
}

/** A text that is the same for the same place only. */
export const keyOf = (at: Place) => `${at.board}:${at.square}`;

export const samePlace = (a: Place | undefined, b: Place | undefined) =>
  a !== undefined && b !== undefined && a.board === b.board && a.square === b.square;

export const startOf = (step: Step): Place => ({ board: step.board, square: step.fromSquare });

export const endOf = (step: Step): Place => ({ board: step.toBoard || step.board, square: step.toSquare });

/** For people: `Red e4` is told as `R e4`, and on the only board it is just `e4`. */
export const nameOf = (at: Place) => (at.board ? `${at.board} ${at.square}` : at.square);

/** The name of a square, with files and ranks counted from 0. */
export const squareAt = (file: number, rank: number) => String.fromCharCode(97 + file) + (rank + 1);

export const fileOf = (square: string) => square.charCodeAt(0) - 97;

export const rankOf = (square: string) => Number(square.slice(1)) - 1;
