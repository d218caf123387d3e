import { useEffect, useRef } from "preact/hooks";
import type { Game, Moment } from "../model/game";

/** The moves played, in rows as in a game score. A click on one shows the position after it. */
export function MoveList({ game }: { game: Game }) {
  const list = useRef<HTMLOListElement>(null);
  const { moments, at } = game;

  // Keeps the move shown in sight, without moving the page.
  useEffect(() => {
    const shown = list.current?.querySelector<HTMLElement>("[aria-current=true]");
    if (list.current) list.current.scrollTop = shown ? shown.offsetTop - list.current.clientHeight / 2 : 0;
  }, [at, moments.length]);

  return (
    <section class="move-list" aria-label="Moves">
      <ol ref={list} tabIndex={-1}>
        {rowsOf(game).map((row) => (
          <li key={row.number}>
            <span class="number">{row.number}.</span>
            {row.cells.map((index) =>
              index === undefined ? (
                <span key="gap" class="gap">
                  …
                </span>
              ) : (
                <button
                  type="button"
                  class="move"
                  key={index}
                  aria-current={index === at}
                  onClick={() => game.goTo(index)}
                >
                  {stepsOf(moments[index]).map((step) => (
                    <span class="step" key={step}>
                      {step}
                    </span>
                  ))}
                </button>
              ),
            )}
          </li>
        ))}
      </ol>
      {moments.length === 1 && <p class="faint">No moves yet.</p>}
      <div class="buttons">
        <Jump game={game} to={0} label="Start of the game" sign="«" />
        <Jump game={game} to={at - 1} label="One move back" sign="‹" />
        <Jump game={game} to={at + 1} label="One move on" sign="›" />
        <Jump game={game} to={moments.length - 1} label="Last move" sign="»" />
        <button type="button" disabled={at === 0} onClick={() => game.takeBack()}>
          Take back
        </button>
      </div>
    </section>
  );
}

function Jump({ game, to, label, sign }: { game: Game; to: number; label: string; sign: string }) {
  const possible = to >= 0 && to < game.moments.length && to !== game.at;
  return (
    <button type="button" class="jump" aria-label={label} disabled={!possible} onClick={() => game.goTo(to)}>
      {sign}
    </button>
  );
}

/** The steps of a move, each to be kept on one line. */
const stepsOf = (moment: Moment | undefined) => (moment?.longText || moment?.text || "").split(/(?<=\/)/);

interface Row {
  number: number;
  /** Indices of moments; undefined where the second player moved first. */
  cells: (number | undefined)[];
}

function rowsOf({ moments, variant }: Game): Row[] {
  const rows: Row[] = [];
  for (let index = 1; index < moments.length; index++) {
    const before = moments[index - 1]?.position;
    const first = before?.toMove === variant.sides[0];
    if (first || rows.length === 0) {
      rows.push({ number: before?.moveNumber ?? index, cells: first ? [] : [undefined] });
    }
    rows.at(-1)?.cells.push(index);
  }
  return rows;
}
