import { type Piece, type Position, Side } from "../gen/arbiter/v1/position_pb";
import type { Board } from "../model/boards";
import { isKing } from "../model/words";

const isPlayer = (side: Side) => side === Side.ABOVE || side === Side.BELOW;

/**
 * The pieces of Above and Below over and under each square of the board between them, where the armies stand. Undefined
 * for all other boards, and in games without such players.
 */
export function influenceOn(board: Board, boards: Board[]): Map<string, Piece[]> | undefined {
  const pieces = boards.flatMap((other) => [...other.pieces.values()]).filter(({ side }) => isPlayer(side));
  if (pieces.length === 0 || ![...board.pieces.values()].some(isKing)) return undefined;
  return Map.groupBy(pieces, ({ square }) => square);
}

/** The player who helps the army of a side; undefined for players themselves, and in other games. */
export function helperOf(position: Position, side: Side): Side | undefined {
  if (position.aboveArmy === Side.UNSPECIFIED || isPlayer(side)) return undefined;
  return side === position.aboveArmy ? Side.ABOVE : Side.BELOW;
}
