import { expect, test } from "vitest";
import { Player, useBrowser } from "./player";

useBrowser();

test.each([
  ["chess", [":e2", ":e4"], "e2e4", "Black to move"],
  ["gamma2", [":f2", ":e3"], "f2e3", "Black to move"],
  ["bordahbee", ["A:e2", "A:e4", "B:g1", "B:f3"], "A:e2e4/B:g1f3", "Black to move"],
  ["doppelganger", [":g1", ":f3"], "g1f3", "Black to move"],
  ["doppelganger-bordahbee", ["B:e2", "B:e4", "A:b1", "A:c3"], "B:e2e4/A:b1c3", "Black to move"],
  ["doppelganger-bordahbee-extreme", ["A:d2", "A:d4", "B:b1", "B:a3"], "A:d2d4/B:b1a3", "Black to move"],
  ["influence", ["A:b4", "A:b6"], "A:b4b6", "Below to move"],
  ["three-universes", ["G:e2", "G:e4", "R:b1", "R:c3"], "G:e2e4/R:b1c3", "Black to move"],
])("opens a game of %s by clicks", async (variant, clicks, move, status) => {
  const player = await Player.open(`#${variant}`);
  await player.click(...clicks);
  await player.seeMoves(move);
  await player.see(status);
  await player.screenshot(`opening-${variant}`);
});

test("captures a pawn in the extreme game and chooses what else goes, pawn by pawn", async () => {
  const player = await Player.from(
    "doppelganger-bordahbee-extreme",
    "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq|KQkq -|- 0 2",
  );
  await player.click("A:e4", "A:d5");
  await player.seeHint("Choose what else is removed: 1 pawn on board A and 2 pawns on board B.");
  await player.click("A:g7");
  await player.seeHint("Choose what else is removed: 2 pawns on board B.");
  // What was chosen can be let go again.
  await player.click("A:g7");
  await player.seeHint("Choose what else is removed: 1 pawn on board A and 2 pawns on board B.");
  await player.click("B:a7", "A:h7");
  await player.seeMarked("chosen", ["A:h7", "B:a7"]);
  await player.screenshot("extreme-removals");
  await player.click("B:c7");
  await player.seeSquare("B:c7", "B c7, empty");
  await player.seeSquare("A:d5", "A d5, white pawn");
  await player.seeHint("Choose the next step.");
  await player.screenshot("extreme-second-step");
  await player.click("B:b1", "B:c3");
  await player.seeMoves("A:e4d5xh7,B:a7,B:c7/B:b1c3");
});

test("plays where there are more steps than a page holds", async () => {
  const rank = "rnbqkbnr/8/8/pppppppp/PPPPPPPP/8/8/RNBQKBNR";
  const player = await Player.from("doppelganger-bordahbee-extreme", `${rank}|${rank} w KQkq|KQkq -|- 0 9`);
  await player.click("B:h4");
  await player.seeMarked("capture", ["B:g5"]);
  await player.click("B:g5", "B:a5", "A:a5", "A:b5", "A:g1", "A:f3");
  await player.seeMoves("B:h4g5xA:a5,A:b5,a5/A:g1f3");
});

test("takes a rook through its kings into another universe", async () => {
  const player = await Player.from(
    "three-universes",
    "7k/2K5/8/8/8/8/8/8|7k/R7/8/8/8/8/K7/8|4k3/8/8/8/8/8/8/4K3 w -|-|- -|-|- 0 1",
  );
  await player.click("G:a7");
  await expect.poll(() => player.marked("target")).toEqual(expect.arrayContaining(["R:c6", "R:c5", "R:c4", "R:c1"]));
  await player.screenshot("universes-passage");
  await player.click("R:c4");
  await player.seeSquare("R:c4", "R c4, white rook");
  await player.button("Play this move").click();
  await player.seeMoves("G:a7-R:c4");
});

test("shows a universe that has vanished", async () => {
  const player = await Player.from(
    "three-universes",
    "8/8/8/8/8/8/8/KR5k|7k/8/8/8/8/8/8/K7|4k3/8/8/8/8/8/8/4K3 w -|-|- -|-|- 0 1",
  );
  await player.click("R:b1", "R:h1");
  await player.button("Play this move").click();
  await player.seeMoves("R:b1h1");
  await player.click("G:h8", "G:h7");
  await player.button("Play this move").click();
  await player.screenshot("universes-two-kings");
  const gone = await Player.from("three-universes", "*|7k/8/8/8/8/8/8/K7|4k3/8/8/8/8/8/8/4K3 w -|-|- -|-|- 0 1");
  await expect.poll(() => gone.text("[data-title='Red Universe'] h2")).toBe("Red Universe has vanished");
  await gone.screenshot("universe-vanished");
});

test("moves a piece by influence, and the own piece with it", async () => {
  const player = await Player.open("#influence");
  await player.seeHint("Above helps White, Below helps Black.");
  await player.click("A:b3", "A:b2");
  await player.see("Below to move");
  await player.click("B:b5", "B:b6");
  await player.see("Above to move");
  await player.seeSquare("M:b2", "M b2, white pawn, above prince above it");
  await player.click("M:b2", "M:b3");
  await player.seeHint("Go on with another step, or play this move.");
  await player.seeMarked("movable", ["A:b2"]);
  await player.screenshot("influence-mirror");
  await player.click("A:b2", "A:b3");
  await player.seeMoves("A:b3b2_B:b5b6_M:b2b3/A:b2b3");
});

test("castles", async () => {
  const player = await Player.from("chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
  await player.click(":e1", ":g1");
  await player.seeMoves("e1g1");
  await player.seeSquare(":f1", "f1, white rook");
});

test("promotes to what is chosen", async () => {
  const player = await Player.from("chess", "8/P3k3/8/8/8/8/8/4K3 w - - 0 1");
  await player.click(":a7", ":a8");
  await player.seeHint("What does the pawn become on a8?");
  await player.screenshot("promotion");
  await player.button("knight").click();
  await player.seeMoves("a7a8n");
});

test("promotes two pawns to twins", async () => {
  const player = await Player.from("doppelganger", "8/4k1P1/8/8/8/8/1P1P4/4K3 w - - 0 1");
  await player.click(":g7", ":g8");
  await player.button("rook").click();
  await player.seeHint("Choose the second pawn that is promoted.");
  await player.seeMarked("option", [":b2", ":d2"]);
  await player.click(":b2");
  await player.seeMoves("g7g8r+b2");
  await player.seeSquare(":b2", "b2, white rook, twin group 1");
  await player.screenshot("twins");
});

test("tells who won and why", async () => {
  const player = await Player.open("#chess&moves=f2f3_e7e5_g2g4");
  await player.click(":d8", ":h4");
  await player.see("Black won: checkmate");
  await player.seeMarked("attacked", [":e1"]);
  await player.screenshot("checkmate");
  await player.click(":e2", ":e3");
  await player.seeHint("The game is over.");
});

test("ends a move where it captures a king", async () => {
  const player = await Player.from("bordahbee", "4k3/8/8/8/8/8/8/K3R3|4k3/8/8/8/8/8/8/K7 w -|- -|- 0 1");
  await player.click("A:e1", "A:e8");
  await player.seeMoves("A:e1e8");
  await player.see("White won: king captured");
});
