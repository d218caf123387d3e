import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { Player, useBrowser } from "./player";

useBrowser();

const variants = [
  "chess",
  "gamma2",
  "bordahbee",
  "doppelganger",
  "doppelganger-bordahbee",
  "doppelganger-bordahbee-extreme",
  "influence",
  "three-universes",
];

test("lists the games with their rules and leads to them", async () => {
  const player = await Player.open();
  await expect.poll(() => player.page.locator(".gallery .piece").count()).toBeGreaterThan(400);
  await player.screenshot("gallery");
  await player.page.getByRole("link", { name: "Gamma2 Chess" }).click();
  await player.see("White to move");
  await player.page.getByText("Rules", { exact: true }).click();
  expect(await player.text(".rules p")).toContain("Berolina pawns");
  await player.page.getByRole("combobox", { name: "Game" }).selectOption("Influence Chess");
  await player.see("Above to move");
  await player.page.goBack();
  await player.see("White to move");
});

test("does not ask for a choice that would help nothing", async () => {
  const player = await Player.from("chess", "k7/r3P2K/8/8/8/8/8/8 w - - 0 1");
  await player.click(":e7", ":e8");
  await player.seeHint("Whatever is chosen with it, this step is not legal.");
});

test("tells why a move is illegal, clicked or typed", async () => {
  const player = await Player.open("#chess");
  await player.click(":a1", ":a5");
  await player.seeHint("The way is blocked on a2.");
  await player.seeMarked("reason", [":a2"]);
  await player.screenshot("why-not");
  const input = player.page.getByLabel("Try a move");
  await input.fill("e2e5");
  await input.press("Enter");
  await expect.poll(() => player.text(".refusal")).toBe("A pawn does not go from e2 to e5.");
  await input.fill("what is this");
  await player.button("Try").click();
  await expect.poll(() => player.text(".tool .problem")).toContain("no square");
  await input.fill("Ng1-f3");
  await player.button("Try").click();
  await player.seeMoves("g1f3");
  await expect.poll(() => input.inputValue()).toBe("");
});

test("offers what an ambiguous text could mean", async () => {
  const player = await Player.open("#bordahbee");
  const input = player.page.getByLabel("Try a move");
  await input.fill("e2-e4/Nb1-c3");
  await player.button("Try").click();
  await expect.poll(() => player.text(".refusal")).not.toBe("");
  await player.button("B:e2e4/A:b1c3").click();
  await player.seeMoves("B:e2e4/A:b1c3");
});

test("takes back steps and moves", async () => {
  const player = await Player.open("#bordahbee");
  await player.click("A:e2", "A:e4");
  await player.seeSquare("A:e4", "A e4, white pawn");
  await player.button("Undo step").click();
  await player.seeSquare("A:e4", "A e4, empty");
  await player.click("A:e2", "A:e3", "B:b1", "B:c3");
  await player.seeMoves("A:e2e3/B:b1c3");
  await player.button("Take back").click();
  await player.seeMoves("");
  await player.seeSquare("A:e2", "A e2, white pawn");
});

test("shows earlier positions and goes on from there", async () => {
  const player = await Player.open("#chess&moves=e2e4_e7e5_g1f3");
  await player.button("e2-e4").click();
  await player.see("Black to move");
  await player.seeSquare(":e7", "e7, black pawn");
  expect(await player.moves()).toBe("e2e4_e7e5_g1f3");
  await player.click(":c7", ":c5");
  await player.seeMoves("e2e4_c7c5");
  await player.button("Start of the game").click();
  await player.see("White to move");
});

test("takes a position as text, and tells all its faults", async () => {
  const player = await Player.open("#chess");
  const text = player.page.getByLabel("Position");
  await text.fill("8/8/8/8/8/8/8/P7 w - - 0 1");
  await player.button("Set position").click();
  await expect.poll(() => player.page.locator(".problem li").count()).toBe(3);
  await player.screenshot("faults");
  await text.fill("4k3/8/8/8/8/8/4P3/4K3 b - - 3 40");
  await player.button("Set position").click();
  await player.see("Black to move");
  await player.click(":e8", ":d7");
  await player.seeMoves("e8d7");
  expect(player.page.url()).toContain("fen=4k3/8/8/8/8/8/4P3/4K3_b_-_-_3_40");
});

test("a link brings back the game, with what repetition needs", async () => {
  const dance = "g1f3_g8f6_f3g1_f6g8";
  const first = await Player.open(`#chess&moves=${dance}_g1f3_g8f6_f3g1`);
  const address = await first.page.getByLabel("Link to this game").inputValue();
  const second = await Player.open(new URL(address).hash);
  await expect.poll(() => second.text(".move-list li")).toContain("Ng1-f3");
  await second.click(":f6", ":g8");
  await second.see("Draw: threefold repetition");
  await second.button("Start of the game").click();
  await second.see("White to move");
});

test("a link with an illegal move shows the game up to it", async () => {
  const player = await Player.open("#chess&moves=e2e4_e7e5_e4e5");
  await player.seeHint("Move 3 of the link, e4e5, is illegal: the way is blocked on e5.");
  await player.see("White to move");
  await player.seeMoves("e2e4_e7e5");
});

test("a link to no game says so", async () => {
  const player = await Player.open("#draughts");
  await expect.poll(() => player.text(".problem")).toBe("There is no game “draughts” here.");
});

test("plays a side at random", async () => {
  const player = await Player.open("#three-universes");
  await player.page.getByLabel("Moves at random").selectOption("Black");
  await player.click("G:e2", "G:e4");
  await player.button("Play this move").click();
  await expect.poll(async () => (await player.moves()).split("_").length).toBe(2);
  await player.see("White to move");
  await player.button("Take back").click();
  await player.seeMoves("");
});

test("flips the boards", async () => {
  const player = await Player.open("#three-universes");
  await player.button("Flip boards").click();
  const first = player.page.locator(".boards [role=gridcell]").first();
  await expect.poll(() => first.getAttribute("data-place")).toBe("B:h1");
});

test("is played by the keyboard alone", async () => {
  const player = await Player.open("#bordahbee");
  const { keyboard } = player.page;
  await player.square("A:a1").focus();
  for (const key of ["ArrowUp", "End", "ArrowLeft", "ArrowLeft", "ArrowLeft", "Enter"]) await keyboard.press(key);
  await player.seeSquare("A:e2", "A e2, white pawn, selected");
  await player.seeSquare("A:e4", "A e4, empty, can go here");
  await player.screenshot("keyboard");
  for (const key of ["Escape", "Enter", "ArrowUp", "ArrowUp", " "]) await keyboard.press(key);
  await player.seeSquare("A:e4", "A e4, white pawn");
  // Beyond the edge of a board lies the next one.
  for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "End", "ArrowRight", "ArrowRight"])
    await keyboard.press(key);
  for (const key of ["Enter", "ArrowUp", "ArrowUp", "ArrowRight", "Enter"]) await keyboard.press(key);
  await player.seeMoves("A:e2e4/B:b1c3");
  // One square of each board is in the order of the Tab key.
  expect(await player.page.locator(".boards [tabindex='0']").count()).toBe(2);
});

test("keeps the keyboard's place when a button has done its work", async () => {
  const player = await Player.open("#three-universes");
  await player.click("G:e2", "G:e4");
  await player.button("Play this move").focus();
  await player.page.keyboard.press("Enter");
  await player.see("Black to move");
  const focused = await player.page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset.place);
  expect(focused).toMatch(/^[RGB]:/);
});

test("lets pieces glide, and leaves them where they belong", async () => {
  const player = await Player.open("#chess", { reducedMotion: "no-preference" });
  // A flight is short, so it is caught as it takes off.
  const took = player.page.evaluate(
    () =>
      new Promise((resolve) => {
        new MutationObserver(() => resolve(document.querySelectorAll(".flight").length)).observe(document.body, {
          childList: true,
        });
      }),
  );
  await player.click(":e2", ":e4");
  expect(await took).toBe(1);
  await expect.poll(() => player.page.locator(".flight").count()).toBe(0);
  await player.seeSquare(":e4", "e4, white pawn");
  expect(await player.page.locator(".in-flight").count()).toBe(0);
});

// Games that look alike need not all be looked at twice.
describe.each([
  ["light", ["", "#gamma2", "#doppelganger-bordahbee-extreme", "#influence", "#three-universes"]],
  ["dark", ["", "#chess", "#bordahbee", "#influence", "#three-universes"]],
] as const)("in %s colours", (colorScheme, fragments) => {
  test.each(fragments)("has no barriers that axe finds: %s", async (fragment) => {
    const player = await Player.open(fragment, { colorScheme });
    if (fragment) {
      await player.button("One random move").click();
      await expect.poll(() => player.page.locator(".move-list li").count()).toBe(1);
      const piece = await player.page.locator(".boards .square:has(.piece)").first().getAttribute("data-place");
      await player.click(piece ?? "");
    } else {
      await expect.poll(() => player.page.locator(".gallery .piece").count()).toBeGreaterThan(400);
    }
    await player.screenshot(`${colorScheme}-${fragment.slice(1) || "gallery"}`);
    // Given to the browser by its debugger, as the policy of the page lets no script in that is not its own.
    await player.page.evaluate(readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
    const { violations } = await player.page.evaluate(() =>
      (window as unknown as { axe: typeof import("axe-core") }).axe.run({ resultTypes: ["violations"] }),
    );
    expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))).toEqual([]);
  });
});

test.each(["", ...variants.map((variant) => `#${variant}`)])("fits a phone: %s", async (fragment) => {
  const player = await Player.open(fragment, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  await player.screenshot(`phone-${fragment.slice(1) || "gallery"}`);
  const { scrollWidth, clientWidth } = await player.page.evaluate(() => document.documentElement);
  expect(scrollWidth).toBe(clientWidth);
});
