/** The test data of the rules, as it stands in tests/vectors. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Where it stands. */
export const vectorsFolder = fileURLToPath(new URL("../../../tests/vectors", import.meta.url));

/** How a game stands. */
export interface Status {
  readonly state: string;
  readonly winner: string | null;
  readonly reason: string | null;
  readonly checked: readonly string[];
}

/** A valid position: its moves sorted by text, or only their number and a hash; some moves with what they lead to. */
export interface ValidRow {
  readonly variant: string;
  readonly position: string;
  readonly status: Status;
  readonly count: number;
  /** SHA-256 of the moves' texts, sorted and joined by line feeds. */
  readonly sha256: string;
  readonly moves?: readonly string[];
  readonly by_first_step?: Readonly<Record<string, number>>;
  readonly after: readonly (readonly [move: string, position: string])[];
}

/** A position that is refused, with one of its faults. */
export interface InvalidRow {
  readonly variant: string;
  readonly position: string;
  readonly invalid: string;
}

/** A whole game, with position and status after each move. */
export interface Game {
  readonly variant: string;
  readonly start: string;
  readonly moves: readonly string[];
  readonly positions: readonly string[];
  readonly statuses: readonly Status[];
}

/** A move in long algebraic text: the move that it names, or why it names none. */
export interface LongText {
  readonly variant: string;
  readonly position: string;
  readonly text: string;
  readonly move?: string;
  readonly error?: "ILLEGAL_MOVE" | "AMBIGUOUS_MOVE";
  readonly candidates?: readonly string[];
}

/** The numbers of move sequences of one move, of two, and so on. */
export interface Perft {
  readonly variant: string;
  readonly position: string;
  readonly counts: readonly number[];
}

/** The files with a row for each position, one for each variant. */
export function rowFiles(folder: string): { name: string; rows: (ValidRow | InvalidRow)[] }[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .sort();
  return names.map((name) => {
    const lines = read(folder, name)
      .split("\n")
      .filter((line) => line !== "");
    return { name, rows: lines.map((line) => JSON.parse(line)) };
  });
}

export function games(folder: string): Game[] {
  return JSON.parse(read(folder, "games.json"));
}

export function longTexts(folder: string): LongText[] {
  return JSON.parse(read(folder, "long.json"));
}

export function perfts(folder: string): Perft[] {
  const byVariant: Record<string, Omit<Perft, "variant">[]> = JSON.parse(read(folder, "perft.json"));
  return Object.entries(byVariant).flatMap(([variant, entries]) =>
    entries.map((entry) => ({ variant, ...entry })),
  );
}

function read(folder: string, name: string): string {
  return readFileSync(join(folder, name), "utf8");
}
