import type { Step } from "../gen/arbiter/v1/move_pb";
import type { PieceKind } from "../gen/arbiter/v1/position_pb";
import { keyOf, type Place, samePlace } from "./places";

/** What the player has chosen where several steps lead from one square to another. */
export interface Chosen {
  promotion?: PieceKind;
  twin?: Place;
  removals: Place[];
}

/** What to ask the player next, or the one step that the answers leave. */
export type Question =
  | { ask: "promotion"; options: PieceKind[] }
  | { ask: "twin"; options: Place[] }
  | { ask: "removals"; options: Place[]; forced: Place[]; missing: Map<string, number> }
  | { ask: "nothing"; step: Step };

export const nothingChosen: Chosen = { removals: [] };

/** The steps that agree with what is chosen. */
export const fitting = (steps: Step[], { promotion, twin, removals }: Chosen): Step[] =>
  steps.filter(
    (step) =>
      (promotion === undefined || step.promotion === promotion) &&
      (twin === undefined || samePlace(step.twin, twin)) &&
      removals.every((place) => includes(step.removals, place)),
  );

/**
 * Asks for one thing after the other: the promotion, the second pawn of a twin promotion, the pawns to remove. What is
 * the same in all steps left is not asked for. `steps` is not empty, and at least one of them fits.
 */
export function nextQuestion(steps: Step[], chosen: Chosen): Question {
  const fits = fitting(steps, chosen);
  const [first] = fits;
  if (!first) throw new Error("no step fits what was chosen");
  if (fits.length === 1) return { ask: "nothing", step: first };

  const promotions = [...new Set(fits.map((step) => step.promotion))];
  if (promotions.length > 1) return { ask: "promotion", options: promotions };

  const twins = distinct(fits.flatMap((step) => step.twin ?? []));
  if (twins.length > 1) return { ask: "twin", options: twins };

  const open = distinct(fits.flatMap((step) => step.removals)).filter((place) => !includes(chosen.removals, place));
  const forced = open.filter((place) => fits.every((step) => includes(step.removals, place)));
  const options = open.filter((place) => !includes(forced, place));
  // How many pawns go from each board is a matter of the rules, so it is the same in every step.
  const missing = new Map<string, number>();
  for (const place of first.removals) {
    if (!includes(chosen.removals, place) && !includes(forced, place)) {
      missing.set(place.board, (missing.get(place.board) ?? 0) + 1);
    }
  }
  return { ask: "removals", options, forced, missing };
}

/** Takes a pawn in or out of those to be removed. */
export const toggled = (chosen: Chosen, place: Place): Chosen => ({
  ...chosen,
  removals: includes(chosen.removals, place)
    ? chosen.removals.filter((other) => !samePlace(other, place))
    : [...chosen.removals, place],
});

const includes = (places: Place[], place: Place) => places.some((other) => samePlace(other, place));

const distinct = (places: Place[]): Place[] => [...new Map(places.map((place) => [keyOf(place), place])).values()];
