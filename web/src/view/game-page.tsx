import { useRef } from "preact/hooks";
import type { Side } from "../gen/arbiter/v1/position_pb";
import { Side as Sides } from "../gen/arbiter/v1/position_pb";
import type { Game } from "../model/game";
import { keyOf } from "../model/places";
import { sideName } from "../model/words";
import type { Traffic } from "../service/client";
import type { Problem } from "../service/problem";
import { BoardView } from "./board";
import { useFlights } from "./flights";
import { marksOf } from "./marks";
import { MoveList } from "./move-list";
import { Opponent, PositionText, Share, TryMove } from "./tools";
import { TurnBar } from "./turn-bar";

interface Props {
  game: Game;
  traffic: Traffic;
  address: string;
  onNew: (aboveArmy: Side) => void;
  onSet: (fen: string) => Promise<Problem | undefined>;
}

/** The boards of a game, and all that is done with it. */
export function GamePage({ game, traffic, address, onNew, onSet }: Props) {
  const { variant, turn, moment, flipped } = game;
  const marks = marksOf(game);
  const specs = flipped ? [...variant.boards].reverse() : variant.boards;
  const boards = useRef<HTMLDivElement>(null);
  useFlights(boards, game);

  const back = () => {
    turn.back();
  };
  // The buttons above the boards vanish when they are used: so that the keyboard's place is not lost, it goes to a board.
  const focusBoards = () => {
    const place = turn.movable[0] ?? { board: variant.boards[0]?.name ?? "", square: "a1" };
    const grid = boards.current?.querySelector(`[data-place="${keyOf(place)}"]`)?.closest("[role=grid]");
    grid?.querySelector<HTMLElement>("[tabindex='0']")?.focus({ preventScroll: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && turn.back()) event.preventDefault();
  };
  return (
    <main class="game" data-boards={specs.length} onKeyDown={onKeyDown}>
      <div class="table">
        <TurnBar game={game} traffic={traffic} onBack={back} onUsed={focusBoards} />
        <div class="boards" ref={boards}>
          {specs.map((spec) => {
            const board = turn.boards.find(({ name }) => name === spec.name);
            return (
              board && (
                <BoardView
                  key={spec.name}
                  variant={variant}
                  spec={spec}
                  board={board}
                  boards={turn.boards}
                  position={moment.position}
                  marks={marks}
                  flipped={flipped}
                  onClick={(place) => game.click(place)}
                />
              )
            );
          })}
        </div>
      </div>
      <aside class="side" aria-label="Game">
        <section class="about">
          <h1>{variant.title}</h1>
          <details class="rules">
            <summary>Rules</summary>
            <p>{variant.rules}</p>
            <p class="faint">{variant.source}</p>
          </details>
          <div class="buttons">
            <button type="button" onClick={() => game.flip()}>
              Flip boards
            </button>
            {armiesOf(game).map((army) => (
              <button type="button" key={army} onClick={() => onNew(army)}>
                {army === Sides.UNSPECIFIED ? "New game" : `New game, Above helps ${sideName(army)}`}
              </button>
            ))}
          </div>
        </section>
        <MoveList game={game} />
        <TryMove game={game} />
        <Opponent game={game} />
        <PositionText game={game} onSet={onSet} />
        <Share address={address} />
      </aside>
    </main>
  );
}

/** The armies of which the player Above can help one; just the unset value in games without that player. */
const armiesOf = ({ variant }: Game): Side[] =>
  variant.sides.includes(Sides.ABOVE) ? [Sides.WHITE, Sides.BLACK] : [Sides.UNSPECIFIED];
