import { expect, test } from "vitest";
import { readLink, writeLink } from "./link";

test.each([
  { variant: "chess", moves: [] },
  { variant: "chess", moves: ["e2e4", "e7e5"] },
  { variant: "bordahbee", moves: ["A:e2e4/B:g1f3", "A:e7e5/B:g8f6"], at: 1 },
  { variant: "doppelganger-bordahbee-extreme", moves: ["A:e4d5xh7,B:a7,B:c7/B:b1c3", "B:g7g8q+A:a2/A:e1f1"] },
  {
    variant: "three-universes",
    fen: "*|7k/8/8/8/8/8/8/K7|4k3/8/8/8/8/8/8/4K3 w -|-|- -|-|- 0 1",
    moves: ["G:a1-R:c4"],
  },
  { variant: "doppelganger", fen: "7R{1}/8/3k4/8/8/8/P7/K6R{1} w - - 0 1", moves: [] },
])("reads what it wrote: %o", (link) => {
  expect(readLink(writeLink(link))).toEqual(link);
});

test("writes fragments that need no percent signs", () => {
  const fen = "7R{1}/8/3k4/8/8/8/P7/K6R{1}|8/8/8/8/8/8/8/8 w -|- -|- 0 1";
  const fragment = writeLink({ variant: "x", fen, moves: ["A:e4d5xh7,B:a7/B:g7g8q+A:a2", "G:a7-R:c4"] });
  expect(fragment).toBe(
    "#x&fen=7R(1)/8/3k4/8/8/8/P7/K6R(1)!8/8/8/8/8/8/8/8_w_-!-_-!-_0_1&moves=A:e4d5xh7,B:a7/B:g7g8q+A:a2_G:a7-R:c4",
  );
});

test("leaves out what goes without saying", () => {
  expect(writeLink({ variant: "chess", moves: ["e2e4"], at: 1 })).toBe("#chess&moves=e2e4");
  expect(writeLink({ variant: "chess", moves: ["e2e4"], at: 0 })).toBe("#chess&moves=e2e4&at=0");
});

test("makes the best of any fragment", () => {
  expect(readLink("")).toBeUndefined();
  expect(readLink("#")).toBeUndefined();
  expect(readLink("#chess&moves=&at=7&what=else")).toEqual({ variant: "chess", moves: [], at: 0 });
  expect(readLink("#chess&at=-1")).toEqual({ variant: "chess", moves: [] });
  expect(readLink("#%E0%A4%A&fen=%")).toEqual({ variant: "%E0%A4%A", moves: [], fen: "%" });
  // As other programs may have encoded it.
  expect(readLink("#chess&fen=8%2F8%20w%20-%20-%200%201")).toEqual({
    variant: "chess",
    moves: [],
    fen: "8/8 w - - 0 1",
  });
});
