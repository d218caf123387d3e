import { ArbiterError } from "./errors.js";
import type { Illegality } from "./gen/arbiter/v1/illegality_pb.js";
import type { Change, Move, Step } from "./gen/arbiter/v1/move_pb.js";
import type { ApplyMoveResponse, ReplayGameResponse } from "./gen/arbiter/v1/playing_pb.js";
import type { Position } from "./gen/arbiter/v1/position_pb.js";
import type { Status } from "./gen/arbiter/v1/status_pb.js";

/** Why a move is not legal. */
export interface Illegal {
  readonly legal: false;
  readonly illegality: Illegality;
}

/** A move that was played. */
export interface Played {
  readonly legal: true;
  /** The position after the move. Send it back as it is with the next move: its `history` notices repetition. */
  readonly position: Position;
  readonly status: Status;
  /** What the move changed on the boards, in order, enough to animate it. */
  readonly changes: readonly Change[];
  /** The move with exact text, long text and steps, however it was given. */
  readonly move: Move;
}

/** The steps that can come next. */
export interface NextSteps {
  readonly legal: true;
  readonly steps: readonly Step[];
  /** Whether the steps chosen so far are a legal move already. */
  readonly complete: boolean;
  /** What the steps chosen so far change on the boards. */
  readonly changes: readonly Change[];
}

/** What is told of a replayed game, up to its end or to its first illegal move. */
export interface Game {
  /** The exact texts of the moves played. */
  readonly canonicalMoves: readonly string[];
  /** The position after the last move played. */
  readonly position: Position;
  readonly status: Status;
  /** With `everyPosition`: the position after each move played. */
  readonly positions: readonly Position[];
}

/** A game all of whose moves are legal. */
export interface LegalGame extends Game {
  readonly legal: true;
}

/** A game with an illegal move. */
export interface IllegalGame extends Game, Illegal {
  /** The index of the first illegal move. */
  readonly badMoveIndex: number;
}

export function playedOrIllegal(answer: ApplyMoveResponse): Played | Illegal {
  if (!answer.legal) return illegal(answer.illegality);
  return {
    legal: true,
    position: present(answer.position, "position"),
    status: present(answer.status, "status"),
    changes: answer.changes,
    move: present(answer.move, "move"),
  };
}

export function illegal(illegality: Illegality | undefined): Illegal {
  return { legal: false, illegality: present(illegality, "illegality") };
}

export function replayed(
  answer: ReplayGameResponse,
  positions: readonly Position[],
): LegalGame | IllegalGame {
  const game: Game = {
    canonicalMoves: answer.canonicalMoves,
    position: present(answer.position, "position"),
    status: present(answer.status, "status"),
    positions,
  };
  if (answer.legal) return { legal: true, ...game };
  const badMoveIndex = present(answer.badMoveIndex, "bad_move_index");
  return { ...illegal(answer.illegality), badMoveIndex, ...game };
}

/** A part of an answer that the contract promises. */
export function present<T>(part: T | undefined, name: string): T {
  if (part === undefined) throw ArbiterError.incomplete(name);
  return part;
}
