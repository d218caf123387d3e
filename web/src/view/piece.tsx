import { type Piece as PieceMessage, Side } from "../gen/arbiter/v1/position_pb";
import { drawingOf } from "./drawings";

const looks: Partial<Record<Side, string>> = {
  [Side.WHITE]: "white",
  [Side.BLACK]: "black",
  [Side.ABOVE]: "above",
  [Side.BELOW]: "below",
};

/** A piece as a picture. In influence an army wears the colour of the player who helps it. */
export function Piece({ piece, helper }: { piece: Pick<PieceMessage, "kind" | "side">; helper?: Side }) {
  const { body, lines } = drawingOf(piece.kind);
  const helped = helper === undefined ? "" : ` helped-by-${looks[helper]}`;
  return (
    <svg class={`piece ${looks[piece.side] ?? ""}${helped}`} viewBox="0 0 48 48" aria-hidden="true">
      <path class="piece-body" d={body} />
      <path class="piece-lines" d={lines} />
    </svg>
  );
}
