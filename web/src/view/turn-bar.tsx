import type { Step } from "../gen/arbiter/v1/move_pb";
import { PieceKind, Side } from "../gen/arbiter/v1/position_pb";
import type { Variant } from "../gen/arbiter/v1/variant_pb";
import { pieceAt } from "../model/boards";
import type { Game } from "../model/game";
import { endOf, nameOf, startOf } from "../model/places";
import { helpWords, kindName, missingWords, statusWords } from "../model/words";
import type { Traffic } from "../service/client";
import type { Problem } from "../service/problem";
import { Piece } from "./piece";

interface Props {
  game: Game;
  traffic: Traffic;
  onBack: () => void;
  /** Called when a button was used. */
  onUsed: () => void;
}

/** How the game stands, the move in the making, and what is asked of the player. */
export function TurnBar({ game, traffic, onBack, onUsed }: Props) {
  const { turn, variant, status, trial } = game;
  const steps = turn.pending ? [...turn.prefix, turn.pending] : turn.prefix;
  const choosing = turn.selected !== undefined || turn.candidates.length > 0;
  const used = (action: () => void) => () => {
    action();
    onUsed();
  };
  const problem = turn.problem ?? game.problem;
  return (
    <section class="turn-bar" aria-label="Turn">
      <div role="status" class="words">
        <p class="status">{status ? statusWords(variant, status) : "…"}</p>
        <p class={turn.refusal || trial?.refusal ? "hint is-refusal" : "hint"}>
          {traffic.trouble ? `${traffic.trouble.text} Trying again…` : hint(game)}
        </p>
      </div>
      {steps.length > 0 && <p class="steps">{steps.map((step) => stepWords(variant, step)).join(" / ")}</p>}
      <div class="buttons">
        {turn.question?.ask === "promotion" && (
          <Promotions game={game} options={turn.question.options} onUsed={onUsed} />
        )}
        {turn.complete && !turn.question && (
          <button type="button" class="primary" onClick={used(() => turn.finish())}>
            Play this move
          </button>
        )}
        {(choosing || steps.length > 0) && (
          <button type="button" onClick={used(onBack)}>
            {choosing ? "Cancel" : "Undo step"}
          </button>
        )}
      </div>
      {problem && <ProblemView problem={problem} onAgain={() => game.again()} />}
    </section>
  );
}

/** What the pawn can become, in its own colour. */
function Promotions({ game, options, onUsed }: { game: Game; options: PieceKind[]; onUsed: () => void }) {
  const { turn, variant } = game;
  const [step] = turn.candidates;
  const side = (step && pieceAt(turn.boards, startOf(step))?.side) ?? Side.WHITE;
  return options.map((kind) => (
    <button
      type="button"
      class="promotion"
      key={kind}
      aria-label={kindName(variant, kind)}
      onClick={() => {
        turn.promote(kind);
        onUsed();
      }}
    >
      <Piece piece={{ kind, side }} />
    </button>
  ));
}

export function ProblemView({ problem, onAgain }: { problem: Problem; onAgain?: () => void }) {
  return (
    <div class="problem" role="alert">
      <p>{problem.text}</p>
      {problem.faults.length > 0 && (
        <ul>
          {problem.faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
      {onAgain && !problem.ours && (
        <button type="button" onClick={onAgain}>
          Try again
        </button>
      )}
    </div>
  );
}

/** What the player can do now, or why the last click did nothing. */
function hint({ turn, trial, moment }: Game): string {
  const { question, selected, reach, refusal, prefix, complete, pending } = turn;
  const [step] = turn.candidates;
  if (question && step) {
    const where = nameOf(endOf(step));
    if (question.ask === "promotion") return `What does the pawn become on ${where}?`;
    if (question.ask === "twin") return "Choose the second pawn that is promoted.";
    if (question.ask === "removals") return `Choose what else is removed: ${missingWords(question.missing)}.`;
  }
  if (refusal) return refusal.text;
  if (trial?.refusal) return trial.refusal.text;
  if (pending) return "";
  if (selected) return reach.length > 0 ? "" : "No legal step. Click a square to learn why.";
  if (prefix.length === 0) return helpWords(moment.position);
  return complete ? "Go on with another step, or play this move." : "Choose the next step.";
}

/** A step for people: `A: Ng1–f3`. */
function stepWords(variant: Variant, step: Step): string {
  const letter = variant.pieces.find(({ kind }) => kind === step.piece && kind !== PieceKind.PAWN)?.letter ?? "";
  const board = step.board && `${step.board}: `;
  const toBoard = step.toBoard && `${step.toBoard}: `;
  return `${board}${letter}${step.fromSquare}${step.captured ? "×" : "–"}${toBoard}${step.toSquare}`;
}
