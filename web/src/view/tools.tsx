import { useState } from "preact/hooks";
import type { Side } from "../gen/arbiter/v1/position_pb";
import type { Game } from "../model/game";
import { sideName } from "../model/words";
import type { Problem } from "../service/problem";
import { ProblemView } from "./turn-bar";

/** A move as text: it is played if it is legal, and if not, the reason is told. */
export function TryMove({ game }: { game: Game }) {
  const [text, setText] = useState("");
  const { trial } = game;
  const attempt = async (move: string) => {
    if (move && (await game.tryText(move))) setText("");
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    attempt(text.trim());
  };
  return (
    <form class="tool" onSubmit={submit}>
      <label for="move-text">Try a move</label>
      <div class="line">
        <input
          id="move-text"
          value={text}
          placeholder={exampleOf(game)}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit">Try</button>
      </div>
      {trial?.refusal && (
        <p class="refusal" role="alert">
          {trial.refusal.text}
        </p>
      )}
      {trial && trial.candidates.length > 0 && (
        <div class="buttons">
          {trial.candidates.map((candidate) => (
            <button type="button" key={candidate} onClick={() => attempt(candidate)}>
              {candidate}
            </button>
          ))}
        </div>
      )}
      {trial?.problem && <ProblemView problem={trial.problem} />}
    </form>
  );
}

/** How a step is written in this game, with squares that every board has. */
const exampleOf = ({ variant }: Game) => (variant.boards[0]?.name ? `${variant.boards[0].name}:b2b3` : "b2b3");

interface PositionProps {
  game: Game;
  /** Starts a game from the text. Gives what is wrong with it, if it is no position. */
  onSet: (fen: string) => Promise<Problem | undefined>;
}

/** The position as text, to copy and to set. */
export function PositionText({ game, onSet }: PositionProps) {
  const { fen } = game.moment.position;
  const [text, setText] = useState<string>();
  const [problem, setProblem] = useState<Problem>();
  const [shown, setShown] = useState(fen);
  if (shown !== fen) {
    // Another position is shown, so what was typed for the one before is gone.
    setShown(fen);
    setText(undefined);
    setProblem(undefined);
  }
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const typed = (text ?? fen).trim().replace(/\s+/g, " ");
    setProblem(await onSet(typed));
  };
  return (
    <form class="tool" onSubmit={submit}>
      <label for="position-text">Position</label>
      <textarea
        id="position-text"
        rows={3}
        value={text ?? fen}
        spellcheck={false}
        autocapitalize="off"
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <div class="buttons">
        <button type="submit">Set position</button>
        <CopyButton text={fen}>Copy</CopyButton>
      </div>
      {problem && <ProblemView problem={problem} />}
    </form>
  );
}

/** A link to the game as it is, with all its moves. */
export function Share({ address }: { address: string }) {
  return (
    <div class="tool">
      <label for="address">Link to this game</label>
      <div class="line">
        <input id="address" readOnly value={address} onFocus={(event) => event.currentTarget.select()} />
        <CopyButton text={address}>Copy</CopyButton>
      </div>
    </div>
  );
}

function CopyButton({ text, children }: { text: string; children: string }) {
  const [copied, setCopied] = useState("");
  const copy = async () => {
    // Browsers keep the clipboard from pages that came over a plain connection; there the text is selected by hand.
    await navigator.clipboard?.writeText(text);
    setCopied(text);
  };
  return (
    <button type="button" onClick={copy} disabled={!navigator.clipboard}>
      {copied === text ? "Copied" : children}
    </button>
  );
}

/** Who moves at random. */
export function Opponent({ game }: { game: Game }) {
  return (
    <div class="tool">
      <label for="automaton">Moves at random</label>
      <div class="line">
        <select
          id="automaton"
          value={game.automaton ?? 0}
          onChange={(event) => game.setAutomaton((Number(event.currentTarget.value) as Side) || undefined)}
        >
          <option value={0}>nobody</option>
          {game.variant.sides.map((side) => (
            <option value={side} key={side}>
              {sideName(side)}
            </option>
          ))}
        </select>
        <button type="button" onClick={() => game.moveAtRandom()}>
          One random move
        </button>
      </div>
    </div>
  );
}
