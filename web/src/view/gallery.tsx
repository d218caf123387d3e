import type { Position } from "../gen/arbiter/v1/position_pb";
import type { Variant } from "../gen/arbiter/v1/variant_pb";
import { boardsOf } from "../model/boards";
import { writeLink } from "../model/link";
import { squareAt } from "../model/places";
import { helperOf } from "./influence";
import { Piece } from "./piece";

/** All games, each with its boards and its rules. */
export function Gallery({ variants, starts }: { variants: Variant[]; starts: Map<string, Position> }) {
  return (
    <main class="gallery">
      <h1>Chess variants, refereed move by move</h1>
      <p class="lead">
        Click a game to play it. A click on a piece shows where it can go; a click on any other square tells why it
        cannot go there.
      </p>
      <ul>
        {variants.map((variant) => (
          <li key={variant.id}>
            <a href={writeLink({ variant: variant.id, moves: [] })}>
              <Preview variant={variant} position={starts.get(variant.id)} />
              <h2>{variant.title}</h2>
            </a>
            <p>{variant.rules}</p>
          </li>
        ))}
      </ul>
    </main>
  );
}

/** The boards at the start of a game, small and only to look at. */
function Preview({ variant, position }: { variant: Variant; position: Position | undefined }) {
  const boards = position ? boardsOf(position) : [];
  return (
    <div class="preview" aria-hidden="true" data-boards={variant.boards.length}>
      {variant.boards.map(({ name, title, files, ranks }, index) => (
        <div
          class="grid"
          key={name}
          data-title={title}
          style={{ gridTemplateColumns: `repeat(${files}, 1fr)`, maxWidth: `${(files / ranks) * 100}%` }}
        >
          {Array.from({ length: files * ranks }, (_, cell) => {
            const file = cell % files;
            const rank = ranks - 1 - Math.floor(cell / files);
            const piece = boards[index]?.pieces.get(squareAt(file, rank));
            return (
              <div class={`square ${(file + rank) % 2 === 0 ? "dark" : "light"}`} key={squareAt(file, rank)}>
                {piece && position && <Piece piece={piece} helper={helperOf(position, piece.side)} />}
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}
