import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { type Change, ChangeCause } from "../gen/arbiter/v1/move_pb";
import type { Game } from "../model/game";
import { keyOf } from "../model/places";

const duration = 180;

/** Lets pieces glide to where a step or a move has just brought them, unless the player wants less motion. */
export function useFlights(boards: RefObject<HTMLElement | null>, { at, moment, turn }: Game): void {
  const steps = turn.prefix.length;
  const before = useRef({ at, steps });
  useLayoutEffect(() => {
    const { at: lastAt, steps: lastSteps } = before.current;
    before.current = { at, steps };
    if (matchMedia("(prefers-reduced-motion: reduce)").matches || !boards.current) return;
    // Only what is new: one more step of the move in the making, or one more move, of which some steps were shown before.
    if (at === lastAt && steps === lastSteps + 1) fly(boards.current, turn.changes, lastSteps);
    if (at === lastAt + 1 && steps === 0) fly(boards.current, moment.changes, lastSteps);
  });
}

function fly(boards: HTMLElement, changes: Change[], sinceStep: number): void {
  for (const { stepIndex, cause, at, from } of changes) {
    const moved = cause === ChangeCause.MOVED || cause === ChangeCause.CASTLED;
    if (stepIndex < sinceStep || !moved || !at || !from) continue;
    const start = boards.querySelector(`[data-place="${keyOf(from)}"]`);
    const end = boards.querySelector(`[data-place="${keyOf(at)}"]`);
    const piece = end?.querySelector(".piece");
    if (start && end && piece) glide(piece, start.getBoundingClientRect(), end.getBoundingClientRect());
  }
}

/** Moves a copy of the piece above everything else, as it may fly from board to board. */
function glide(piece: Element, start: DOMRect, end: DOMRect): void {
  const copy = document.createElement("div");
  copy.className = "flight";
  copy.append(piece.cloneNode(true));
  Object.assign(copy.style, {
    left: `${end.left}px`,
    top: `${end.top}px`,
    width: `${end.width}px`,
    height: `${end.height}px`,
  });
  document.body.append(copy);
  piece.classList.add("in-flight");
  const way = `translate(${start.left - end.left}px, ${start.top - end.top}px)`;
  const flight = copy.animate([{ transform: way }, { transform: "none" }], { duration, easing: "ease-out" });
  const land = () => {
    copy.remove();
    piece.classList.remove("in-flight");
  };
  flight.finished.then(land, land);
}
