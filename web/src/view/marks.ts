import { ChangeCause } from "../gen/arbiter/v1/move_pb";
import type { Game } from "../model/game";
import { endOf, keyOf, type Place, startOf } from "../model/places";

/** What a square is marked for. Each is also a CSS class, `is-` and the mark. */
export type Mark =
  | "last"
  | "gone"
  | "attacked"
  | "movable"
  | "selected"
  | "pending"
  | "target"
  | "capture"
  | "option"
  | "chosen"
  | "reason";

/** How a mark is read out, where it is. */
export const markWords: Partial<Record<Mark, string>> = {
  attacked: "attacked king",
  selected: "selected",
  target: "can go here",
  capture: "can capture here",
  option: "can be chosen",
  chosen: "chosen",
  reason: "the reason",
};

export type Marks = ReadonlyMap<string, ReadonlySet<Mark>>;

export function marksOf({ turn, moment, status, trial }: Game): Marks {
  const marks = new Map<string, Set<Mark>>();
  const put = (mark: Mark, ...places: (Place | undefined)[]) => {
    for (const place of places) {
      if (!place) continue;
      const key = keyOf(place);
      marks.set(key, (marks.get(key) ?? new Set()).add(mark));
    }
  };

  const begun = turn.prefix.length > 0;
  for (const { cause, at, from } of begun ? turn.changes : moment.changes) {
    if (cause === ChangeCause.MOVED || cause === ChangeCause.CASTLED) put("last", at, from);
    if (cause === ChangeCause.TWIN_REMOVED || cause === ChangeCause.PAWN_REMOVED) put("gone", at);
    if (cause === ChangeCause.PROMOTED || cause === ChangeCause.TWIN_PROMOTED) put("last", at);
  }
  if (begun) put("movable", ...turn.movable);
  else put("attacked", ...(status?.attackedKings ?? []));

  put("selected", turn.selected);
  if (turn.pending) put("pending", startOf(turn.pending), endOf(turn.pending));
  const { question } = turn;
  if (question) {
    const [step] = turn.candidates;
    if (step) put("pending", startOf(step), endOf(step));
    if (question.ask === "twin" || question.ask === "removals") put("option", ...question.options);
    if (question.ask === "removals") put("chosen", ...turn.chosen.removals, ...question.forced);
    put("chosen", turn.chosen.twin);
  } else {
    for (const step of turn.reach) put(step.captured ? "capture" : "target", endOf(step));
  }
  put("reason", ...((turn.refusal ?? trial?.refusal)?.places ?? []));
  return marks;
}
