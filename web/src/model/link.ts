/** What the fragment of the page's address says: a variant, and in it a game. */
export interface Link {
  variant: string;
  /** The position in which the game starts, where it is not the variant's own. */
  fen?: string;
  /** The moves, as exact texts. */
  moves: string[];
  /** How many of the moves have been played on the boards shown; all of them if not set. */
  at?: number;
}

// A position text and a move text use few characters, so both are put into a fragment nearly as they are: a blank is
// written `_`, as are the gaps between moves, and what may not stand in a fragment gets another sign that may.
const signs: [string, string][] = [
  [" ", "_"],
  ["|", "!"],
  ["{", "("],
  ["}", ")"],
];

export function writeLink({ variant, fen, moves, at }: Link): string {
  const parts = [encodeURIComponent(variant)];
  if (fen) parts.push(`fen=${encode(signs.reduce((text, [plain, sign]) => text.replaceAll(plain, sign), fen))}`);
  if (moves.length > 0) parts.push(`moves=${encode(moves.join("_"))}`);
  if (at !== undefined && at !== moves.length) parts.push(`at=${at}`);
  return `#${parts.join("&")}`;
}

/** Reads a fragment. Undefined if it names no variant, so that the list of games is shown. */
export function readLink(fragment: string): Link | undefined {
  const [variant, ...parts] = fragment.replace(/^#/, "").split("&");
  if (!variant) return undefined;
  const link: Link = { variant: decode(variant), moves: [] };
  for (const part of parts) {
    const value = decode(part.slice(part.indexOf("=") + 1));
    if (part.startsWith("fen=")) {
      link.fen = signs.reduce((text, [plain, sign]) => text.replaceAll(sign, plain), value);
    }
    if (part.startsWith("moves=")) link.moves = value.split("_").filter((move) => move !== "");
    if (part.startsWith("at=") && /^\d+$/.test(value)) link.at = Math.min(Number(value), link.moves.length);
  }
  return link;
}

/** Percent signs only for what a fragment may not hold, or what would end a part. */
const encode = (text: string) => text.replace(/[^\w/:,;@!$'()*+.~-]/g, encodeURIComponent);

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
