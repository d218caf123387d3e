import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { StepSchema } from "../gen/arbiter/v1/move_pb";
import { PieceKind } from "../gen/arbiter/v1/position_pb";
import { fitting, nextQuestion, nothingChosen, toggled } from "./choice";
import type { Place } from "./places";

const place = (text: string): Place => ({ board: text.charAt(0), square: text.slice(1) });
const capture = (...removals: string[]) =>
  create(StepSchema, { board: "A", fromSquare: "e4", toSquare: "d5", removals: removals.map(place) });
const promotion = (kind: PieceKind, twin?: string) =>
  create(StepSchema, { fromSquare: "g7", toSquare: "g8", promotion: kind, twin: twin ? place(twin) : undefined });

/** One pawn of a7 and b7 on board A, and two of three on board B. */
const removals = ["Aa7", "Ab7"].flatMap((first) =>
  [
    ["Ba7", "Bb7"],
    ["Ba7", "Bc7"],
    ["Bb7", "Bc7"],
  ].map((others) => capture(first, ...others)),
);

test("asks nothing where there is one step", () => {
  const step = capture("Aa7");
  expect(nextQuestion([step], nothingChosen)).toEqual({ ask: "nothing", step });
});

test("asks for the promotion first, then for the twin", () => {
  const steps = [PieceKind.ROOK, PieceKind.KNIGHT].flatMap((kind) => [promotion(kind, "Ab2"), promotion(kind, "Ad2")]);
  expect(nextQuestion(steps, nothingChosen)).toEqual({ ask: "promotion", options: [PieceKind.ROOK, PieceKind.KNIGHT] });
  const rook = { ...nothingChosen, promotion: PieceKind.ROOK };
  expect(nextQuestion(steps, rook)).toMatchObject({ ask: "twin", options: [place("Ab2"), place("Ad2")] });
  expect(nextQuestion(steps, { ...rook, twin: place("Ad2") })).toEqual({ ask: "nothing", step: steps[1] });
});

test("does not ask for a twin that the promotion leaves no choice of", () => {
  const steps = [promotion(PieceKind.ROOK, "Ab2"), promotion(PieceKind.QUEEN, "Bc3")];
  const queen = { ...nothingChosen, promotion: PieceKind.QUEEN };
  expect(nextQuestion(steps, queen)).toEqual({ ask: "nothing", step: steps[1] });
});

test("narrows removals down pawn by pawn, in any order", () => {
  const first = nextQuestion(removals, nothingChosen);
  expect(first).toMatchObject({ ask: "removals", forced: [] });
  expect(first.ask === "removals" && [...first.missing]).toEqual([
    ["A", 1],
    ["B", 2],
  ]);
  let chosen = toggled(nothingChosen, place("Bc7"));
  chosen = toggled(chosen, place("Ab7"));
  const second = nextQuestion(removals, chosen);
  expect(second).toMatchObject({ ask: "removals", options: [place("Ba7"), place("Bb7")] });
  expect(second.ask === "removals" && [...second.missing]).toEqual([["B", 1]]);
  expect(nextQuestion(removals, toggled(chosen, place("Ba7")))).toEqual({ ask: "nothing", step: removals[4] });
});

test("lets a pawn go that was chosen", () => {
  const chosen = toggled(nothingChosen, place("Bc7"));
  expect(fitting(removals, chosen)).toHaveLength(4);
  expect(toggled(chosen, place("Bc7"))).toEqual(nothingChosen);
});

test("does not ask for pawns that go in any case", () => {
  const steps = [capture("Aa7", "Ba7"), capture("Aa7", "Bb7")];
  const question = nextQuestion(steps, nothingChosen);
  expect(question).toMatchObject({ ask: "removals", options: [place("Ba7"), place("Bb7")], forced: [place("Aa7")] });
  expect(question.ask === "removals" && [...question.missing]).toEqual([["B", 1]]);
});
