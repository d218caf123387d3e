/** Compares what the service answers with the test data. Each check throws where they disagree. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  type Arbiter,
  ArbiterError,
  Code,
  type Illegality,
  IllegalReason,
  type Move,
  MoveView,
  PositionFault,
  Reason,
  Side,
  State,
  type Status,
  type Step,
} from "@arbiter/client";
import { moveText, stepText, withBoard } from "./steps.js";
import type * as vectors from "./vectors.js";

/** Longer lists than this are asked for as texts alone, and by pages as large as the service makes them. */
const LONG = 500;

export async function checkRow(arbiter: Arbiter, row: vectors.ValidRow | vectors.InvalidRow): Promise<void> {
  await ("invalid" in row ? checkInvalid(arbiter, row) : checkValid(arbiter, row));
}

async function checkValid(arbiter: Arbiter, row: vectors.ValidRow): Promise<void> {
  const position = { variant: row.variant, fen: row.position };
  const moveView = row.count > LONG ? MoveView.TEXT : MoveView.FULL;
  // A few pages of a short list, so that places between pages are tried; of a long one, pages of any size.
  const pageSize = row.count > LONG ? 0 : Math.ceil((row.count + 1) / 3);
  const streamed = await taken(arbiter.streamLegalMoves(position, { moveView }));
  const paged = await taken(arbiter.legalMoves(position, { moveView, pageSize }));
  assert.deepEqual(paged, streamed, "the pages are not the stream");
  assert.equal(await arbiter.countLegalMoves(position), BigInt(row.count), "the count");

  assert.equal(streamed.length, row.count, "the number of moves");
  if (row.count > 0) {
    await checkSteps(arbiter, position, streamed);
  } else {
    const refused = await arbiter.legalSteps(position);
    assert.equal(
      refused.legal || refused.illegality.reason,
      IllegalReason.GAME_OVER,
      "why no step is offered",
    );
  }

  streamed.sort();
  if (row.moves !== undefined) assert.deepEqual(streamed, row.moves, "the moves");
  const hash = createHash("sha256").update(streamed.join("\n")).digest("hex");
  assert.equal(hash, row.sha256, "the hash of the moves");
  if (row.by_first_step !== undefined) {
    const counts: Record<string, number> = {};
    for (const text of streamed) {
      const [first = ""] = text.split("/");
      counts[first] = (counts[first] ?? 0) + 1;
    }
    assert.deepEqual(counts, row.by_first_step, "the numbers of moves by first step");
  }

  assert.deepEqual(inWords(await arbiter.status(position)), row.status, "the status");
  for (const [text, wanted] of row.after) {
    const played = await arbiter.applyMove(position, text);
    assert.ok(played.legal, `${text} is illegal`);
    assert.equal(played.position.fen, wanted, `the position after ${text}`);
    assert.equal(played.move.text, text, "the move played");
  }
}

/** Chooses the longest of the listed moves step by step: what is offered is what the list goes on with. */
async function checkSteps(
  arbiter: Arbiter,
  position: Parameters<Arbiter["legalSteps"]>[0],
  listed: readonly string[],
): Promise<void> {
  const longest = listed.reduce((a, b) => (b.length > a.length ? b : a)).split("/");
  const prefix: Step[] = [];
  let begun = listed.map((text) => text.split("/"));
  for (let count = 0; ; count++) {
    const at = `after ${moveText(prefix) || "no step"}`;
    const answer = await arbiter.legalSteps(position, { prefix });
    assert.ok(answer.legal, `no move is offered ${at}`);
    assert.equal(
      answer.complete,
      begun.some((move) => move.length === count),
      `whether the move is complete ${at}`,
    );
    const following = new Set(begun.flatMap((move) => move.slice(count, count + 1)));
    const offered = answer.steps.map(stepText);
    assert.deepEqual(offered, [...following], `the steps offered ${at}`);
    const next = answer.steps[offered.indexOf(longest[count] ?? "")];
    if (next === undefined) return;
    prefix.push(next);
    begun = begun.filter((move) => move[count] === longest[count]);
  }
}

/** The texts of moves. Text order is that of code units, which all texts of moves have in common. */
async function taken(moves: AsyncIterable<Move>): Promise<string[]> {
  const texts: string[] = [];
  for await (const { text, steps } of moves) {
    if (steps.length > 0) assert.equal(moveText(steps), text, "the steps of a move");
    texts.push(text);
  }
  return texts;
}

async function checkInvalid(arbiter: Arbiter, row: vectors.InvalidRow): Promise<void> {
  const call = arbiter.status({ variant: row.variant, fen: row.position });
  const error: unknown = await call.then(
    () => undefined,
    (error) => error,
  );
  assert.ok(error instanceof ArbiterError, "the position is taken for a valid one");
  assert.deepEqual([error.code, error.reason], [Code.InvalidArgument, "INVALID_POSITION"]);
  assert.ok(error.faults.includes(row.invalid), `the faults are ${error.faults}, not ${row.invalid}`);
  for (const fault of error.faults) assert.ok(fault in PositionFault, `${fault} is no fault of the contract`);
  for (const { field } of error.violations) assert.equal(field, "position.fen");
}

export async function checkGame(arbiter: Arbiter, game: vectors.Game): Promise<void> {
  const start = { variant: game.variant, fen: game.start };
  const replayed = await arbiter.replay(start, game.moves, { everyPosition: true });
  assert.ok(replayed.legal, "the game is illegal");
  assert.deepEqual(replayed.canonicalMoves, game.moves, "the moves");
  assert.deepEqual(
    replayed.positions.map((position) => position.fen),
    game.positions,
    "the positions",
  );
  assert.deepEqual(replayed.positions.at(-1), replayed.position, "the last position");

  // Move by move, with the positions handed back, the histories must be the same.
  let position: Parameters<Arbiter["applyMove"]>[0] = start;
  for (const [index, move] of game.moves.entries()) {
    const played = await arbiter.applyMove(position, move);
    assert.ok(played.legal, `${move} is illegal`);
    assert.deepEqual(played.position, replayed.positions[index], `the position after ${move}`);
    assert.deepEqual(inWords(played.status), game.statuses[index], `the status after ${move}`);
    position = played.position;
  }
  assert.deepEqual(await arbiter.status(position), replayed.status, "the last status");
}

export async function checkLongText(arbiter: Arbiter, entry: vectors.LongText): Promise<void> {
  const played = await arbiter.applyMove({ variant: entry.variant, fen: entry.position }, entry.text);
  if (played.legal) {
    assert.deepEqual(
      { move: played.move.text },
      { move: entry.move, ...(entry.error && { error: entry.error }) },
    );
    return;
  }
  const { illegality } = played;
  const isAmbiguous = illegality.reason === IllegalReason.AMBIGUOUS;
  assert.equal(
    isAmbiguous ? "AMBIGUOUS_MOVE" : "ILLEGAL_MOVE",
    entry.error,
    `${entry.text} is illegal: ${illegality.message}`,
  );
  assert.deepEqual([...illegality.candidates].sort(), entry.candidates ?? [], "the candidates");
  checkIllegality(illegality);
}

/** What holds for every illegality of a service of this release. */
function checkIllegality(illegality: Illegality): void {
  assert.ok(
    IllegalReason[illegality.reason] !== undefined,
    `${illegality.reason} is no reason of the contract`,
  );
  assert.notEqual(illegality.reason, IllegalReason.UNSPECIFIED);
  assert.notEqual(illegality.message, "");
}

/** Sequences of one move are counted by the service; those of two are walked where they are not too many. */
export async function checkPerft(
  arbiter: Arbiter,
  { variant, position, counts }: vectors.Perft,
): Promise<void> {
  const start = { variant, fen: position };
  const [one = -1, two = -1] = counts;
  assert.equal(await arbiter.countLegalMoves(start), BigInt(one), "perft 1");
  if (one > 60 || two < 0) return;
  let sum = 0n;
  for await (const move of arbiter.legalMoves(start)) {
    const played = await arbiter.applyMove(start, move);
    assert.ok(played.legal, move.text);
    sum += await arbiter.countLegalMoves(played.position);
  }
  assert.equal(sum, BigInt(two), "perft 2");
}

/** A status in the words of the test data. */
function inWords(status: Status): vectors.Status {
  const letters: Record<number, string> = {
    [Side.WHITE]: "w",
    [Side.BLACK]: "b",
    [Side.ABOVE]: "a",
    [Side.BELOW]: "b",
  };
  return {
    state: State[status.state].toLowerCase(),
    winner: letters[status.winner] ?? null,
    reason: status.reason === Reason.UNSPECIFIED ? null : Reason[status.reason].toLowerCase(),
    checked: status.attackedKings.map(({ board, square }) => withBoard(board, square)),
  };
}
