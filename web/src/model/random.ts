import type { Step } from "../gen/arbiter/v1/move_pb";
import type { Position } from "../gen/arbiter/v1/position_pb";
import type { Arbiter } from "../service/client";

/** The steps of a legal move, taken at random; none if the game is over. */
export async function randomMove(arbiter: Arbiter, position: Position, signal: AbortSignal): Promise<Step[]> {
  const prefix: Step[] = [];
  for (;;) {
    const { steps, complete } = await arbiter.legalSteps({ position, prefix }, { signal });
    const step = steps[Math.floor(Math.random() * steps.length)];
    if (!step || (complete && Math.random() < 0.5)) return complete ? prefix : [];
    prefix.push(step);
  }
}
