/**
 * Plays a random game of every variant, or of those named, and prints its moves.
 *
 *     npx tsx examples/random-bot.ts [--url http://127.0.0.1:50051] [--moves 100] [VARIANT...]
 */

import { parseArgs } from "node:util";
import { type Arbiter, type Move, MoveView, Reason, Side, State, type Status } from "@arbiter/client";
import { connect } from "@arbiter/client/node";

const { values, positionals } = parseArgs({
  options: {
    url: { type: "string", default: "http://127.0.0.1:50051" },
    moves: { type: "string", default: "100" },
  },
  allowPositionals: true,
});

const arbiter = connect(values.url);
const variants =
  positionals.length > 0 ? positionals : (await arbiter.variants()).map((variant) => variant.id);
for (const variant of variants) await play(arbiter, variant, Number(values.moves));

async function play(arbiter: Arbiter, variant: string, most: number): Promise<void> {
  let position = await arbiter.initialPosition(variant);
  let status = await arbiter.status(position);
  const texts: string[] = [];
  while (status.state === State.ONGOING && texts.length < most) {
    // A random first step, and then a random move that begins with it: no list of thousands is needed.
    const next = await arbiter.legalSteps(position);
    if (!next.legal) throw new Error(next.illegality.message);
    const { board, fromSquare, toSquare } = random(next.steps);
    const filter = { board, fromSquare, toSquare };
    const moves: Move[] = [];
    for await (const move of arbiter.legalMoves(position, { filter, moveView: MoveView.TEXT }))
      moves.push(move);
    const played = await arbiter.applyMove(position, random(moves));
    if (!played.legal) throw new Error(played.illegality.message);
    // The position goes back as it came, so the service notices repetition.
    ({ position, status } = played);
    texts.push(played.move.longText);
  }
  console.log(
    `${variant}, ${texts.length} moves: ${texts.join(" ")}\n  ${position.fen}\n  ${inWords(status)}`,
  );
}

function random<T>(items: readonly T[]): T {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error("there is nothing to choose from");
  return item;
}

function inWords({ state, winner, reason }: Status): string {
  if (state === State.WON) return `${Side[winner]} won: ${Reason[reason]}`;
  return state === State.DRAWN ? `drawn: ${Reason[reason]}` : "goes on";
}
