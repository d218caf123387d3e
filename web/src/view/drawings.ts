import { PieceKind } from "../gen/arbiter/v1/position_pb";

/** A piece as two SVG paths on a field of 48 by 48: what is filled and outlined, and lines drawn on top of it. */
export interface Drawing {
  body: string;
  lines: string;
}

const dot = (x: number, y: number, r: number) =>
  `M${x - r} ${y}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0z`;

const foot = "M12 43v-3q0-2.5 2.5-2.5h19q2.5 0 2.5 2.5v3z";
const pawnBody = "M16.5 37.5c1-6 4.5-9 5-14.5h5c.5 5.5 4 8.5 5 14.5z";
const collar = "M17 21h14v3H17z";

const unknown: Drawing = { body: `M13 12h22v26H13z${foot}`, lines: "M20 20q0-4 4-4t4 4q0 3-4 4v3M24 31v.5" };

const drawings: Partial<Record<PieceKind, Drawing>> = {
  [PieceKind.KING]: {
    body: `M22.300 4h3.400v3.300H29v3.400h-3.300V15h-3.400v-4.300H19V7.300h3.300zM14.5 37.5C13 33 8 29.5 8 23.5 8 18.5 12 16 16 16c3.5 0 6.5 2 8 5.5 1.5-3.5 4.5-5.5 8-5.5 4 0 8 2.5 8 7.5 0 6-5 9.5-6.5 14z${foot}`,
    lines: "M24 21.5V32M15.5 33q8.5-2.5 17 0",
  },
  [PieceKind.QUEEN]: {
    body: `M14 37.5 8 18l8 7 1.5-13L24 23l6.5-11L32 25l8-7-6 19.5z${foot}${dot(7.5, 15.5, 2.6)}${dot(17, 9.5, 2.6)}${dot(31, 9.5, 2.6)}${dot(40.5, 15.5, 2.6)}`,
    lines: "M15 33q9-2.5 18 0",
  },
  [PieceKind.ROOK]: {
    body: `M12 8h5v4h4.5V8h5v4H31V8h5v9.5L32 21v11l2.5 5.5h-21L16 32V21l-4-3.5z${foot}`,
    lines: "M16 21h16M16 32h16",
  },
  [PieceKind.BISHOP]: {
    body: `M15 37.5c4-1.5 5.5-4 5.5-8C16.5 28 14 25 14 21.5 14 16 20 12 24 9c4 3 10 7 10 12.5 0 3.5-2.5 6.5-6.5 8 0 4 1.5 6.5 5.5 8z${foot}${dot(24, 6.5, 2.6)}`,
    lines: "M24 15.5v9M19.5 20h9M19 30h10",
  },
  [PieceKind.KNIGHT]: {
    body: `M14 37.5C14 29 22 26.5 22 21.5c-2.5 1.5-4 1.5-6 4-1 1.300-2.5 2-4.5 1.300-2-.8-3-2.800-2-5C11.5 17 13.5 12 18 9.5L19 5l4.5 3.5C32.5 9.5 37 17 36 28c-.3 3.5-.8 6-1.5 9.5z${foot}`,
    lines: `${dot(19, 15, 0.7)}M12.300 23l.7-.6M26 12.5c4.5 2.5 6.5 8 5.5 15`,
  },
  [PieceKind.PAWN]: {
    body: `${pawnBody}${foot}${dot(24, 15, 6.5)}${collar}`,
    lines: "",
  },
  [PieceKind.BEROLINA_PAWN]: {
    body: `${pawnBody}${foot}M24 5.5 33 14.5 24 23.5 15 14.5z`,
    lines: "M20.5 14.5h7M24 11v7",
  },
  [PieceKind.SHIP]: {
    body: "M6 30h36c-1 6-4.5 11-9 13H15C10.5 41 7 36 6 30zM25 5c8 4 12.5 11 12.5 21.5H25zM21.5 10v16.5H11C12 19 15.5 13.5 21.5 10z",
    lines: "M11 36.5h26",
  },
  [PieceKind.ARCHER]: {
    body: "M7 9 39 41M43 5 40.5 14 37.800 11.300 15.5 33.600 16 37 9.5 43.5 8.300 39.700 4.5 38.5 11 32l3.400.5L36.700 10.200 34 7.5zM6 7C23 3 45 25 41 42 37 30 18 11 6 7z",
    lines: "",
  },
  [PieceKind.PRINCE]: {
    body: `M15 37.5 12 20l6.5 5L24 15l5.5 10L36 20l-3 17.5z${foot}${dot(24, 12.5, 2.6)}`,
    lines: "M15.5 32.5q8.5-2 17 0",
  },
  [PieceKind.COMMANDER]: {
    body: "M24 4c5 3.5 10 5 16 5 0 17-4 28-16 35C12 37 8 26 8 9c6 0 11-1.5 16-5z",
    lines: "M24 12.5l2.700 7 7.300.4-5.700 4.700 1.900 7.200L24 27.800l-6.200 4 1.900-7.200-5.700-4.700 7.300-.4z",
  },
};

export const drawingOf = (kind: PieceKind): Drawing => drawings[kind] ?? unknown;
