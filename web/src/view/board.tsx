import { useRef, useState } from "preact/hooks";
import type { Piece as PieceMessage, Position } from "../gen/arbiter/v1/position_pb";
import type { BoardSpec, Variant } from "../gen/arbiter/v1/variant_pb";
import type { Board } from "../model/boards";
import { keyOf, nameOf, type Place, squareAt } from "../model/places";
import { kindName, pieceName, sideName } from "../model/words";
import { helperOf, influenceOn } from "./influence";
import { type Mark, type Marks, markWords } from "./marks";
import { Piece } from "./piece";

interface Props {
  variant: Variant;
  spec: BoardSpec;
  board: Board;
  /** All boards of the position, this one among them. */
  boards: Board[];
  position: Position;
  marks: Marks;
  flipped: boolean;
  onClick: (place: Place) => void;
}

/** One board: a grid of which one square at a time is in the order of the Tab key, and the arrow keys move between. */
export function BoardView(props: Props) {
  const { variant, spec, board, boards, position, marks, flipped, onClick } = props;
  const [current, setCurrent] = useState(() => squareAt(0, 0));
  const grid = useRef<HTMLDivElement>(null);
  const influence = influenceOn(board, boards);
  const files = order(spec.files, flipped);
  const ranks = order(spec.ranks, !flipped);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      onClick({ board: board.name, square: current });
    } else if (grid.current) {
      const next = neighbour(grid.current, current, event);
      if (!next) return;
      event.preventDefault();
      next.focus();
    }
  };

  return (
    <section class="board" data-title={spec.title} data-vanished={board.vanished}>
      {variant.boards.length > 1 && (
        <h2>
          {spec.title} {board.vanished && <em>has vanished</em>}
        </h2>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a table is no board; the roles say what it is. */}
      <div
        class="grid"
        role="grid"
        ref={grid}
        aria-label={`${spec.title}${board.vanished ? ", vanished" : ""}`}
        style={{ gridTemplateColumns: `repeat(${spec.files}, 1fr)` }}
        onKeyDown={onKeyDown}
      >
        {ranks.map((rank) => (
          // biome-ignore lint/a11y/useSemanticElements: as above.
          // biome-ignore lint/a11y/useFocusableInteractive: its squares are focused.
          <div class="row" role="row" key={rank}>
            {files.map((file) => {
              const square = squareAt(file, rank);
              const place = { board: board.name, square };
              return (
                <Square
                  key={square}
                  variant={variant}
                  position={position}
                  place={place}
                  piece={board.pieces.get(square)}
                  marks={marks.get(keyOf(place)) ?? none}
                  dark={(file + rank) % 2 === 0}
                  influence={influence?.get(square) ?? []}
                  fileLabel={rank === ranks.at(-1) ? square.charAt(0) : ""}
                  rankLabel={file === files[0] ? square.slice(1) : ""}
                  inTabOrder={square === current}
                  onFocus={() => setCurrent(square)}
                  onClick={() => onClick(place)}
                />
              );
            })}
          </div>
        ))}
      </div>
    </section>
  );
}

interface SquareProps {
  variant: Variant;
  position: Position;
  place: Place;
  piece: PieceMessage | undefined;
  marks: ReadonlySet<Mark>;
  dark: boolean;
  influence: PieceMessage[];
  fileLabel: string;
  rankLabel: string;
  inTabOrder: boolean;
  onFocus: () => void;
  onClick: () => void;
}

function Square(props: SquareProps) {
  const { variant, position, place, piece, marks, dark, influence, inTabOrder, onFocus, onClick } = props;
  const helper = piece && helperOf(position, piece.side);
  const classes = ["square", dark ? "dark" : "light", ...[...marks].map((mark) => `is-${mark}`)];
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid listens to the keys.
    <div
      class={classes.join(" ")}
      role="gridcell"
      data-place={keyOf(place)}
      tabIndex={inTabOrder ? 0 : -1}
      aria-selected={marks.has("selected")}
      aria-label={squareWords(props)}
      onFocus={onFocus}
      onClick={onClick}
    >
      {influence.map(({ side, kind }) => (
        <i class={`influence ${sideName(side).toLowerCase()} ${kindName(variant, kind)}`} key={side} />
      ))}
      {piece && <Piece piece={piece} helper={helper} />}
      {piece && piece.twinGroup > 0 && <i class="twin-group" data-text={piece.twinGroup} />}
      {props.rankLabel && <i class="rank-label" data-text={props.rankLabel} />}
      {props.fileLabel && <i class="file-label" data-text={props.fileLabel} />}
    </div>
  );
}

/** For example `A e4, white knight, attacked king`. */
function squareWords({ variant, place, piece, marks, influence }: SquareProps): string {
  return [
    nameOf(place),
    piece ? pieceName(variant, piece) : "empty",
    ...influence.map((other) => `${pieceName(variant, other)} ${sideName(other.side).toLowerCase()} it`),
    ...[...marks].flatMap((mark) => markWords[mark] ?? []),
  ].join(", ");
}

const none: ReadonlySet<Mark> = new Set();

const order = (count: number, reversed: boolean) => {
  const numbers = [...Array(count).keys()];
  return reversed ? numbers.reverse() : numbers;
};

const strides: Record<string, [across: number, down: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The square that a key leads to, as the board is seen. Beyond the left and right edge it is one of the next board. */
function neighbour(grid: HTMLElement, square: string, { key, ctrlKey, metaKey }: KeyboardEvent) {
  const rows = rowsOf(grid);
  const down = rows.findIndex((row) => row.some((cell) => cell.dataset.place?.endsWith(`:${square}`)));
  const across = rows[down]?.findIndex((cell) => cell.dataset.place?.endsWith(`:${square}`)) ?? 0;
  if (key === "Home") return rows[down]?.at(0);
  if (key === "End") return rows[down]?.at(-1);
  const stride = strides[key];
  if (!stride || ctrlKey || metaKey) return undefined;
  const next = rows[down + stride[1]]?.[across + stride[0]];
  if (next || stride[0] === 0) return next;
  const grids = [...(grid.closest(".boards")?.querySelectorAll<HTMLElement>("[role=grid]") ?? [])];
  const other = grids[grids.indexOf(grid) + stride[0]];
  return other && rowsOf(other)[down]?.at(stride[0] > 0 ? 0 : -1);
}

const rowsOf = (grid: HTMLElement) =>
  [...grid.querySelectorAll("[role=row]")].map((row) => [...row.children] as HTMLElement[]);
