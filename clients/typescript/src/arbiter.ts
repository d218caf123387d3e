import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Client, createClient, type Transport } from "@connectrpc/connect";
import {
  type Illegal,
  type IllegalGame,
  illegal,
  type LegalGame,
  type NextSteps,
  type Played,
  playedOrIllegal,
  present,
  replayed,
} from "./answers.js";
import { ArbiterError } from "./errors.js";
import {
  type FilterSchema,
  type Move,
  type MoveSchema,
  MoveView,
  type Step,
  type StepSchema,
} from "./gen/arbiter/v1/move_pb.js";
import type { Position, PositionSchema, PositionView, Side } from "./gen/arbiter/v1/position_pb.js";
import { ArbiterService } from "./gen/arbiter/v1/service_pb.js";
import type { Status } from "./gen/arbiter/v1/status_pb.js";
import type { Variant } from "./gen/arbiter/v1/variant_pb.js";

/** A position: one that the service gave, or a literal such as `{ variant: "chess" }`, its initial position. */
export type PositionInit = MessageInitShape<typeof PositionSchema>;
/** A move: one that the service gave, or a literal such as `{ steps: [...] }`. */
export type MoveInit = MessageInitShape<typeof MoveSchema>;
/** A step: one that the service gave, or a literal such as `{ fromSquare: "e2", toSquare: "e4" }`. */
export type StepInit = MessageInitShape<typeof StepSchema>;
/** What the first step of the listed moves, or the listed step, must be like. */
export type FilterInit = MessageInitShape<typeof FilterSchema>;

/** What any call can be given. */
export interface CallOptions {
  /** Ends the call, and the server's work on it, with the code `Canceled`. */
  readonly signal?: AbortSignal | undefined;
  /** The deadline, in milliseconds from now, instead of the client's. 0: none of this side. */
  readonly timeoutMs?: number | undefined;
}

/** What a list of moves can be given. */
export interface ListOptions extends CallOptions {
  readonly filter?: FilterInit | undefined;
  /** What to return of each move. Full if not given. */
  readonly moveView?: Exclude<MoveView, MoveView.COUNT> | undefined;
}

/** How much of a position to return. */
export interface ViewOptions extends CallOptions {
  /** Text and history if not given. */
  readonly positionView?: PositionView | undefined;
}

export interface ArbiterOptions {
  /** The deadline of each call, in milliseconds; of a stream, up to its end. 30,000 if not given, 0: none. */
  readonly timeoutMs?: number | undefined;
}

/** The referee. `connect` of `@arbiter/client/node` or `@arbiter/client/web` makes one. */
export class Arbiter {
  /** The generated client, for what has no method here. Its errors are ConnectErrors: see ArbiterError.from. */
  readonly client: Client<typeof ArbiterService>;
  readonly #timeoutMs: number;

  constructor(transport: Transport, { timeoutMs = 30_000 }: ArbiterOptions = {}) {
    this.client = createClient(ArbiterService, transport);
    this.#timeoutMs = timeoutMs;
  }

  /** The variants that the server knows. */
  async variants(options: CallOptions = {}): Promise<Variant[]> {
    const answer = await this.#answer(this.client.listVariants({}, this.#limits(options)));
    return answer.variants;
  }

  /** The position in which a game of a variant begins. `aboveArmy` is for influence only. */
  async initialPosition(
    variant: string,
    options: ViewOptions & { readonly aboveArmy?: Side | undefined } = {},
  ): Promise<Position> {
    const request = { variant, aboveArmy: options.aboveArmy, positionView: options.positionView };
    const answer = await this.#answer(this.client.getInitialPosition(request, this.#limits(options)));
    return present(answer.position, "position");
  }

  /**
   * The legal moves in their fixed order. A page is asked for only when the moves before it have been taken, and
   * each page has the deadline for itself; to stop, stop iterating.
   */
  async *legalMoves(
    position: PositionInit,
    options: ListOptions & { readonly pageSize?: number | undefined } = {},
  ): AsyncGenerator<Move, void, undefined> {
    const { filter, moveView, pageSize } = options;
    let pageToken = "";
    do {
      const request = { position, filter, moveView, pageSize, pageToken };
      const page = await this.#answer(this.client.legalMoves(request, this.#limits(options)));
      yield* page.moves;
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
  }

  /**
   * The legal moves in the same order as one stream: the best way to take all moves of a position with many. To
   * stop, stop iterating: the server stops, too. A stream that broke cannot be resumed.
   */
  async *streamLegalMoves(
    position: PositionInit,
    options: ListOptions & {
      /** Of the moves that lead to the same position text, send the first only. */
      readonly distinctPositions?: boolean | undefined;
    } = {},
  ): AsyncGenerator<Move, void, undefined> {
    const { filter, moveView, distinctPositions } = options;
    const request = { position, filter, moveView, distinctPositions };
    const leaving = new AbortController();
    const signals = options.signal === undefined ? [leaving.signal] : [leaving.signal, options.signal];
    const limits = this.#limits({ ...options, signal: AbortSignal.any(signals) });
    const batches = this.client.streamLegalMoves(request, limits);
    try {
      for await (const batch of batches) yield* batch.moves;
    } catch (error) {
      throw ArbiterError.from(error);
    } finally {
      leaving.abort();
      void finish(batches);
    }
  }

  /** How many moves are legal. A bigint, as the contract's 64 bits do not fit a number. */
  async countLegalMoves(
    position: PositionInit,
    options: CallOptions & { readonly filter?: FilterInit | undefined } = {},
  ): Promise<bigint> {
    const request = { position, filter: options.filter, moveView: MoveView.COUNT };
    const answer = await this.#answer(this.client.legalMoves(request, this.#limits(options)));
    return answer.totalSize;
  }

  /**
   * The steps that can follow the steps chosen so far, all of them; a filter narrows them. An illegal prefix is
   * an answer.
   */
  async legalSteps(
    position: PositionInit,
    options: CallOptions & {
      /** The steps chosen so far. */
      readonly prefix?: readonly StepInit[] | undefined;
      readonly filter?: FilterInit | undefined;
    } = {},
  ): Promise<NextSteps | Illegal> {
    const prefix = [...(options.prefix ?? [])];
    const steps: Step[] = [];
    let pageToken = "";
    for (;;) {
      const request = { position, prefix, filter: options.filter, pageToken };
      const page = await this.#answer(this.client.legalSteps(request, this.#limits(options)));
      if (!page.legal) return illegal(page.illegality);
      steps.push(...page.steps);
      pageToken = page.nextPageToken;
      if (pageToken === "") return { legal: true, steps, complete: page.complete, changes: page.changes };
    }
  }

  /** Plays a move, given as text or as steps. An illegal move is an answer. */
  async applyMove(
    position: PositionInit,
    move: string | MoveInit,
    options: ViewOptions = {},
  ): Promise<Played | Illegal> {
    const chosen = typeof move === "string" ? { text: move } : move;
    const request = { position, move: chosen, positionView: options.positionView };
    return playedOrIllegal(await this.#answer(this.client.applyMove(request, this.#limits(options))));
  }

  /** Who is to move, which kings are attacked, whether the game is over, and if so, who won and why. */
  async status(position: PositionInit, options: CallOptions = {}): Promise<Status> {
    const answer = await this.#answer(this.client.gameStatus({ position }, this.#limits(options)));
    return present(answer.status, "status");
  }

  /** Plays a list of moves, at most 20,000. A game with an illegal move is an answer. */
  async replay(
    position: PositionInit,
    moves: readonly string[],
    options: ViewOptions & {
      /** Whether to return the position after every move, too. */
      readonly everyPosition?: boolean | undefined;
    } = {},
  ): Promise<LegalGame | IllegalGame> {
    const { everyPosition, positionView } = options;
    const part = async (start: PositionInit, from: number) => {
      const request = { position: start, moves: moves.slice(from), everyPosition, positionView };
      return this.#answer(this.client.replayGame(request, this.#limits(options)));
    };
    const whole = await part(position, 0);
    // The positions of a long game do not fit one answer: the rest is asked for from where they end.
    const positions = [...whole.positions];
    let next = whole.nextMoveIndex;
    while (next > 0) {
      const rest = await part(present(positions.at(-1), "positions"), positions.length);
      positions.push(...rest.positions);
      next = rest.nextMoveIndex;
    }
    return replayed(whole, positions);
  }

  #limits({ signal, timeoutMs = this.#timeoutMs }: CallOptions): CallOptions {
    return { signal, timeoutMs };
  }

  async #answer<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } catch (error) {
      throw ArbiterError.from(error);
    }
  }
}

/**
 * Connect does not notice that an iteration was left: it would keep the stream open, and the timer of its deadline
 * running. It lets go when it is told to end and then asked for what it still has.
 */
async function finish(batches: AsyncIterable<unknown>): Promise<void> {
  try {
    for await (const _ of batches);
  } catch {
    // The end that was asked for.
  }
}
