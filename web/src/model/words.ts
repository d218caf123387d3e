import { type Piece, PieceKind, type Position, Side } from "../gen/arbiter/v1/position_pb";
import { Reason, State, type Status } from "../gen/arbiter/v1/status_pb";
import type { Variant } from "../gen/arbiter/v1/variant_pb";
import { nameOf, type Place } from "./places";

export const sideName = (side: Side): string =>
  ({ [Side.WHITE]: "White", [Side.BLACK]: "Black", [Side.ABOVE]: "Above", [Side.BELOW]: "Below" })[side as number] ??
  "Nobody";

export const kindName = (variant: Variant, kind: PieceKind): string =>
  variant.pieces.find((spec) => spec.kind === kind)?.title.toLowerCase() ?? "piece";

/** For example `white rook, twin group 1`. */
export const pieceName = (variant: Variant, piece: Piece): string =>
  `${sideName(piece.side).toLowerCase()} ${kindName(variant, piece.kind)}` +
  (piece.twinGroup > 0 ? `, twin group ${piece.twinGroup}` : "");

const reasons: Partial<Record<Reason, string>> = {
  [Reason.CHECKMATE]: "checkmate",
  [Reason.KING_CAPTURED]: "king captured",
  [Reason.NO_LEGAL_MOVE]: "no legal move",
  [Reason.STALEMATE]: "stalemate",
  [Reason.THREEFOLD_REPETITION]: "threefold repetition",
  [Reason.FIFTY_MOVES]: "fifty moves without a capture or pawn step",
};

/** How the game stands, in one line: `White to move: check`, `White won: checkmate`. */
export function statusWords(variant: Variant, status: Status): string {
  const reason = reasons[status.reason] ?? "";
  const because = reason && `: ${reason}`;
  if (status.state === State.WON) return `${sideName(status.winner)} won${because}`;
  if (status.state === State.DRAWN) return `Draw${because}`;
  return `${sideName(status.toMove)} to move${attackedWords(variant, status)}${repeatedWords(status)}`;
}

function attackedWords(variant: Variant, { attackedKings }: Status): string {
  if (attackedKings.length === 0) return "";
  if (variant.checkBinds) return ": check";
  return attackedKings.length === 1
    ? `: the king on ${listWords(attackedKings)} is attacked`
    : `: the kings on ${listWords(attackedKings)} are attacked`;
}

const repeatedWords = ({ repetitions }: Status) =>
  repetitions > 1 ? `; the position has occurred ${repetitions} times` : "";

/** In influence, who helps which army: `Above helps White, Below helps Black.` */
export function helpWords({ aboveArmy }: Position): string {
  if (aboveArmy === Side.UNSPECIFIED) return "";
  const belowArmy = aboveArmy === Side.WHITE ? Side.BLACK : Side.WHITE;
  return `Above helps ${sideName(aboveArmy)}, Below helps ${sideName(belowArmy)}.`;
}

/** `A e4`, `A e4 and B e5`, `A e4, B e5 and B e6`. */
export function listWords(places: Place[]): string {
  const names = places.map(nameOf);
  const last = names.pop() ?? "";
  return names.length === 0 ? last : `${names.join(", ")} and ${last}`;
}

/** What is still to be chosen of the removals: `1 more pawn on board A, 2 more pawns on board B`. */
export const missingWords = (missing: Map<string, number>): string =>
  [...missing]
    .map(([board, count]) => `${count} ${count === 1 ? "pawn" : "pawns"}${board ? ` on board ${board}` : ""}`)
    .join(" and ");

export const isOver = (status: Status | undefined) => status !== undefined && status.state !== State.ONGOING;

export const isKing = (piece: Piece | undefined) => piece?.kind === PieceKind.KING;

/** Words of the service, which begin small and have no full stop, as a sentence. */
export const sentence = (text: string) => {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
};
