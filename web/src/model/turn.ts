import { IllegalReason } from "../gen/arbiter/v1/illegality_pb";
import type { Change, Step } from "../gen/arbiter/v1/move_pb";
import type { Position } from "../gen/arbiter/v1/position_pb";
import type { Arbiter } from "../service/client";
import { type Problem, problemOf, wasCanceled } from "../service/problem";
import { applyChanges, type Board, boardsOf, pieceAt } from "./boards";
import { type Chosen, fitting, nextQuestion, nothingChosen, type Question, toggled } from "./choice";
import { endOf, type Place, samePlace, startOf } from "./places";
import { sentence } from "./words";

/** Why something is no legal move: the reason in words, and the squares that explain it. */
export interface Refusal {
  text: string;
  places: Place[];
}

/** The service's answer to the steps chosen so far. */
interface Level {
  prefix: Step[];
  complete: boolean;
  changes: Change[];
  /** What can follow, unless `partial`: then there are more steps than a page holds. */
  steps: Step[];
  partial: boolean;
}

/**
 * Reasons that speak of choices not made. Where a reason is asked for, no choice makes the step legal: else it would have
 * been offered.
 */
const unmade: ReadonlySet<IllegalReason> = new Set([
  IllegalReason.PROMOTION_MISSING,
  IllegalReason.TWIN_MISSING,
  IllegalReason.REMOVAL_MISSING,
]);

/**
 * One move in the making, step by step, as a player clicks. What may follow is always the service's to say.
 *
 * Clicks are dealt with one after the other, so that none is lost while an answer is awaited. What the player takes back
 * is given up at once.
 */
export class Turn {
  readonly start: Board[];
  /** The boards as the chosen steps leave them. */
  boards: Board[];
  /** The step that was chosen and not yet answered for. */
  pending: Step | undefined;
  /** The piece that was clicked, and its steps. */
  selected: Place | undefined;
  reach: Step[] = [];
  /** The steps between the same two squares of which one is to be chosen, and what of it is chosen. */
  candidates: Step[] = [];
  chosen: Chosen = nothingChosen;
  refusal: Refusal | undefined;
  problem: Problem | undefined;

  private levels: Level[] = [];
  private work = Promise.resolve();
  private failed: (() => Promise<unknown>) | undefined;
  private abort = new AbortController();
  private asking = new AbortController();

  constructor(
    private readonly arbiter: Arbiter,
    private readonly position: Position,
    private readonly changed: () => void,
    private readonly play: (steps: Step[], signal: AbortSignal) => Promise<void>,
  ) {
    this.start = boardsOf(position);
    this.boards = this.start;
    this.queue(() => this.level());
  }

  /** The steps chosen and answered for. */
  get prefix(): Step[] {
    return this.levels.at(-1)?.prefix ?? [];
  }

  get changes(): Change[] {
    return this.levels.at(-1)?.changes ?? [];
  }

  /** True if the steps chosen are a legal move, which may be played or gone on with. */
  get complete(): boolean {
    return this.levels.at(-1)?.complete ?? false;
  }

  /** The pieces that can make the next step, as far as they are known. */
  get movable(): Place[] {
    return this.levels.at(-1)?.steps.map(startOf) ?? [];
  }

  get question(): Question | undefined {
    return this.candidates.length > 0 ? nextQuestion(this.candidates, this.chosen) : undefined;
  }

  click(place: Place): void {
    this.asking.abort();
    this.queue(() => this.clicked(place));
  }

  /** Answers the question: the kind that a pawn becomes. */
  promote(promotion: Chosen["promotion"]): void {
    if (promotion !== undefined) this.queue(() => this.answer({ ...this.chosen, promotion }));
  }

  /** Plays the steps chosen, where another could follow. */
  finish(): void {
    this.queue(async () => {
      const { complete, prefix } = await this.level();
      if (complete) await this.play(prefix, this.abort.signal);
    });
  }

  /** Takes back what was chosen last. False if nothing was. */
  back(): boolean {
    this.leave();
    this.problem = undefined;
    this.failed = undefined;
    const { refusal, pending } = this;
    this.refusal = undefined;
    this.pending = undefined;
    if (this.candidates.length > 0) this.forget();
    else if (this.selected && !pending) this.select(undefined, []);
    else if (this.prefix.length > 0 && !pending) this.levels.pop();
    else if (!refusal && !pending) return false;
    this.show();
    return true;
  }

  /** Gives up all that is awaited. */
  leave(): void {
    this.abort.abort();
    this.asking.abort();
    this.abort = new AbortController();
    this.work = Promise.resolve();
  }

  /** Does what failed once more. */
  again(): void {
    const { pending, failed } = this;
    if (pending) this.queue(() => this.choose(pending));
    else if (failed) this.queue(failed);
  }

  private queue(task: () => Promise<unknown>): void {
    const { signal } = this.abort;
    this.work = this.work.then(async () => {
      if (signal.aborted) return;
      this.problem = undefined;
      this.failed = undefined;
      try {
        await task();
      } catch (error) {
        if (signal.aborted || wasCanceled(error)) return;
        // Clicks made since then would no longer mean what they were meant to.
        this.leave();
        this.problem = problemOf(error);
        this.failed = task;
        this.changed();
      }
      if (!signal.aborted) this.changed();
    });
  }

  private show(): void {
    this.boards = applyChanges(this.start, this.changes);
    this.changed();
  }

  private async clicked(place: Place): Promise<void> {
    this.refusal = undefined;
    this.pending = undefined;
    const { question, selected } = this;
    if (question) return this.pick(question, place);
    if (samePlace(selected, place)) return this.select(undefined, []);

    const candidates = this.reach.filter((step) => samePlace(endOf(step), place));
    if (selected && candidates.length > 0) {
      this.candidates = candidates;
      this.chosen = nothingChosen;
      return this.answer(nothingChosen);
    }
    const reach = await this.stepsFrom(place);
    if (reach.length > 0 || (!selected && pieceAt(this.boards, place))) return this.select(place, reach);
    if (selected) this.ask(selected, place);
  }

  private select(place: Place | undefined, reach: Step[]): void {
    this.selected = place;
    this.reach = reach;
    this.forget();
  }

  private forget(): void {
    this.candidates = [];
    this.chosen = nothingChosen;
  }

  /** A click while something is asked for: only the squares in question count. */
  private async pick(question: Question, place: Place): Promise<void> {
    const { chosen } = this;
    const among = (places: Place[]) => places.some((other) => samePlace(other, place));
    if (question.ask === "twin" && among(question.options)) return this.answer({ ...chosen, twin: place });
    if (question.ask === "removals" && (among(question.options) || among(chosen.removals))) {
      return this.answer(toggled(chosen, place));
    }
  }

  private async answer(chosen: Chosen): Promise<void> {
    // A click that came too late, when the question was answered or taken back.
    if (fitting(this.candidates, chosen).length === 0) return;
    this.chosen = chosen;
    const question = nextQuestion(this.candidates, chosen);
    if (question.ask === "nothing") await this.choose(question.step);
  }

  private async choose(step: Step): Promise<void> {
    const { signal } = this.abort;
    this.select(undefined, []);
    this.pending = step;
    this.changed();
    const level = await this.load([...this.prefix, step]);
    if (signal.aborted) return;
    if (level.complete && level.steps.length === 0) {
      await this.play(level.prefix, signal);
    } else {
      this.levels.push(level);
    }
    this.pending = undefined;
    this.show();
  }

  /** The answer to the steps chosen so far; asked for if it has not come yet. */
  private async level(): Promise<Level> {
    const known = this.levels.at(-1);
    if (known) return known;
    const level = await this.load([]);
    this.levels = [level];
    return level;
  }

  private async load(prefix: Step[]): Promise<Level> {
    const { signal } = this.abort;
    const response = await this.arbiter.legalSteps({ position: this.position, prefix }, { signal });
    const { complete, changes, steps, nextPageToken } = response;
    return { prefix, complete, changes, steps, partial: nextPageToken !== "" };
  }

  private async stepsFrom(place: Place): Promise<Step[]> {
    const { steps, partial, prefix } = await this.level();
    if (!partial) return steps.filter((step) => samePlace(startOf(step), place));
    const { signal } = this.abort;
    const filter = { board: place.board, fromSquare: place.square };
    const found: Step[] = [];
    let pageToken = "";
    do {
      const page = await this.arbiter.legalSteps({ position: this.position, prefix, filter, pageToken }, { signal });
      found.push(...page.steps);
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
    return found;
  }

  /** Asks why the piece cannot go there. The answer is of no use any more once another square is clicked. */
  private async ask(from: Place, to: Place): Promise<void> {
    this.asking = new AbortController();
    const { signal } = this.asking;
    const step = {
      board: from.board,
      fromSquare: from.square,
      toBoard: to.board === from.board ? "" : to.board,
      toSquare: to.square,
    };
    try {
      const request = { position: this.position, prefix: [...this.prefix, step] };
      const { illegality } = await this.arbiter.legalSteps(request, { signal });
      if (illegality) {
        const text = unmade.has(illegality.reason)
          ? "Whatever is chosen with it, this step is not legal."
          : sentence(illegality.message);
        this.refusal = { text, places: illegality.squares };
      }
    } catch (error) {
      if (signal.aborted) return;
      const problem = problemOf(error);
      if (problem.ours) this.refusal = { text: problem.text, places: [] };
      else this.problem = problem;
    }
    if (!signal.aborted) this.changed();
  }
}
