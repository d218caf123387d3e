import type { Illegality } from "../gen/arbiter/v1/illegality_pb";
import type { Change, Move, Step } from "../gen/arbiter/v1/move_pb";
import type { ApplyMoveResponse } from "../gen/arbiter/v1/playing_pb";
import { type Position, PositionView, type Side } from "../gen/arbiter/v1/position_pb";
import type { Status } from "../gen/arbiter/v1/status_pb";
import type { Variant } from "../gen/arbiter/v1/variant_pb";
import type { Arbiter } from "../service/client";
import { type Problem, problemOf, wasCanceled } from "../service/problem";
import type { Link } from "./link";
import type { Place } from "./places";
import { randomMove } from "./random";
import { type Refusal, Turn } from "./turn";
import { isOver, sentence } from "./words";

/** A position of the game and the move that led to it. */
export interface Moment {
  /** As the service gave it. It is handed back untouched, as it holds what the service needs to notice repetition. */
  position: Position;
  status?: Status;
  /** The exact text of the move; empty at the start. */
  text: string;
  /** The move for people. Not known yet where a stored game was opened. */
  longText: string;
  steps: Step[];
  changes: Change[];
}

/** What came of a move that was typed. */
export interface Trial {
  refusal?: Refusal;
  /** What the text could mean, if that is why it was refused. */
  candidates: string[];
  problem?: Problem;
}

const positionView = PositionView.FULL;

/** A game from its start to its last move, and the place in it that is shown and can be played on from. */
export class Game {
  moments: Moment[];
  at: number;
  turn: Turn;
  trial: Trial | undefined;
  problem: Problem | undefined;
  /** The player whose moves are made at random. */
  automaton: Side | undefined;
  flipped = false;

  private abort = new AbortController();

  private constructor(
    private readonly arbiter: Arbiter,
    readonly variant: Variant,
    /** True if the game starts as all games of the variant do. */
    private readonly usual: boolean,
    moments: Moment[],
    at: number,
    private readonly changed: () => void,
  ) {
    this.moments = moments;
    this.at = at;
    this.turn = this.newTurn();
    this.learn();
  }

  /** Opens what a link says. Fails as the service does, and with a refusal where a move of it is illegal. */
  static async open(
    arbiter: Arbiter,
    variant: Variant,
    link: Link,
    changed: () => void,
    signal: AbortSignal,
  ): Promise<Game> {
    const { moves, fen = "" } = link;
    const begin = { position: { variant: variant.id, fen }, positionView };
    const { position, status } = await arbiter.replayGame(begin, { signal });
    if (!position) throw new Error("the service gave no position");
    const moments: Moment[] = [{ ...reached(position, ""), status }];
    // A long game comes in parts, as a response holds only so many positions.
    while (moments.length <= moves.length) {
      const last = moments.at(-1) as Moment;
      const rest = moves.slice(moments.length - 1);
      const request = { position: last.position, moves: rest, everyPosition: true, positionView };
      const replay = await arbiter.replayGame(request, { signal });
      replay.positions.forEach((position, index) => {
        moments.push(reached(position, replay.canonicalMoves[index] ?? ""));
      });
      if (replay.illegality && replay.nextMoveIndex === 0) {
        const game = new Game(arbiter, variant, !link.fen, moments, moments.length - 1, changed);
        const bad = moves[moments.length - 1];
        game.trial = refused(`Move ${moments.length} of the link, ${bad}, is illegal: `, replay.illegality);
        return game;
      }
      if (replay.positions.length === 0) break;
    }
    return new Game(
      arbiter,
      variant,
      !link.fen,
      moments,
      Math.min(link.at ?? moves.length, moments.length - 1),
      changed,
    );
  }

  get moment(): Moment {
    return this.moments[this.at] as Moment;
  }

  get status(): Status | undefined {
    return this.moment.status;
  }

  get link(): Link {
    const moves = this.moments.slice(1).map((moment) => moment.text);
    const link: Link = { variant: this.variant.id, moves, at: this.at };
    if (!this.usual) link.fen = this.moments[0]?.position.fen ?? "";
    return link;
  }

  /** Shows the position after so many moves. */
  goTo(at: number): void {
    this.at = Math.max(0, Math.min(at, this.moments.length - 1));
    this.renew();
  }

  /** Takes back the move shown and all after it, and if that was made at random, the player's own before it. */
  takeBack(): void {
    do {
      this.at = Math.max(0, this.at - 1);
    } while (this.at > 0 && this.moment.position.toMove === this.automaton);
    this.moments.length = this.at + 1;
    this.renew();
  }

  /** A click on a square. What was said of a typed move is over then. */
  click(place: Place): void {
    this.trial = undefined;
    this.turn.click(place);
  }

  /** Plays what was typed, if it is a legal move. True if it was. */
  async tryText(text: string): Promise<boolean> {
    this.turn.leave();
    let legal = false;
    await this.attempt(async (signal) => {
      const played = await this.applied({ text }, signal);
      legal = played.legal;
      if (played.legal) this.take(played);
      else if (played.illegality) this.trial = refused("", played.illegality);
    });
    return legal;
  }

  /** Makes a move of the player to move at random. */
  async moveAtRandom(): Promise<void> {
    this.turn.leave();
    await this.attempt(async (signal) => {
      const steps = await randomMove(this.arbiter, this.moment.position, signal);
      if (steps.length > 0) await this.playSteps(steps, signal);
    });
  }

  setAutomaton(side: Side | undefined): void {
    this.automaton = side;
    this.answerAtRandom();
    this.changed();
  }

  flip(): void {
    this.flipped = !this.flipped;
    this.changed();
  }

  /** Does what failed once more. */
  again(): void {
    this.problem = undefined;
    this.learn();
    this.turn.again();
    this.answerAtRandom();
  }

  /** Gives up all that is awaited. */
  leave(): void {
    this.abort.abort();
    this.turn.leave();
  }

  private renew(): void {
    this.leave();
    this.abort = new AbortController();
    this.trial = undefined;
    this.problem = undefined;
    this.turn = this.newTurn();
    this.learn();
    this.changed();
  }

  private newTurn(): Turn {
    return new Turn(this.arbiter, this.moment.position, this.changed, (steps, signal) => this.playSteps(steps, signal));
  }

  private async playSteps(steps: Step[], signal: AbortSignal): Promise<void> {
    this.take(await this.applied({ steps }, signal));
  }

  private applied(move: Partial<Pick<Move, "text" | "steps">>, signal: AbortSignal): Promise<ApplyMoveResponse> {
    return this.arbiter.applyMove({ position: this.moment.position, move, positionView }, { signal });
  }

  /** Goes on with a move that was played. Moves that came after the position shown are gone. */
  private take(played: ApplyMoveResponse): void {
    if (!played.position) return;
    this.moments.length = this.at + 1;
    this.moments.push(reached(played.position, ""));
    this.at += 1;
    tell(this.moment, played);
    this.renew();
    this.answerAtRandom();
  }

  private answerAtRandom(): void {
    if (this.automaton !== this.moment.position.toMove || isOver(this.status)) return;
    // Long enough to see the own move first.
    const timer = setTimeout(() => this.moveAtRandom(), 500);
    this.abort.signal.addEventListener("abort", () => clearTimeout(timer));
  }

  private async attempt(task: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { signal } = this.abort;
    this.trial = undefined;
    this.problem = undefined;
    try {
      await task(signal);
    } catch (error) {
      if (signal.aborted || wasCanceled(error)) return;
      const problem = problemOf(error);
      if (problem.ours) this.trial = { candidates: [], problem };
      else this.problem = problem;
    }
    this.changed();
  }

  /** Asks for what is not known yet of the moments, the one shown first: a stored game brings only its positions. */
  private async learn(): Promise<void> {
    const { signal } = this.abort;
    const unknown = this.moments.map((_, index) => index).filter((index) => !this.moments[index]?.status);
    unknown.sort((a, b) => Number(b === this.at) - Number(a === this.at));
    try {
      for (const index of unknown) {
        await this.learnMoment(index, signal);
        if (index === this.at || index % 8 === 0 || index === unknown.at(-1)) this.changed();
      }
    } catch (error) {
      if (signal.aborted || wasCanceled(error)) return;
      this.problem = problemOf(error);
      this.changed();
    }
  }

  private async learnMoment(index: number, signal: AbortSignal): Promise<void> {
    const moment = this.moments[index];
    const before = this.moments[index - 1];
    if (!moment) return;
    if (before) {
      const move = { text: moment.text };
      tell(moment, await this.arbiter.applyMove({ position: before.position, move }, { signal }));
    } else {
      moment.status = (await this.arbiter.gameStatus({ position: moment.position }, { signal })).status;
    }
  }
}

const reached = (position: Position, text: string): Moment => ({
  position,
  text,
  longText: "",
  steps: [],
  changes: [],
});

function refused(what: string, { message, squares, candidates }: Illegality): Trial {
  return { refusal: { text: sentence(what + message), places: squares }, candidates };
}

/** Writes down what the service said of the move that led to a moment. */
function tell(moment: Moment, { move, status, changes }: ApplyMoveResponse): void {
  moment.text = move?.text ?? "";
  moment.longText = move?.longText ?? "";
  moment.steps = move?.steps ?? [];
  moment.changes = changes;
  moment.status = status;
}
