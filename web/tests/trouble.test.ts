import type { Route } from "playwright-core";
import { expect, test } from "vitest";
import { Player, useBrowser } from "./player";

useBrowser();

const steps = "**/arbiter.v1.ArbiterService/LegalSteps";

/** An answer of the service without a message: just the code of an error. */
const refuse = (route: Route, code: number, message: string) =>
  route.fulfill({
    headers: { "content-type": "application/grpc-web+proto", "grpc-status": `${code}`, "grpc-message": message },
    body: "",
  });

/** Holds answers back until it is opened. */
function newGate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

test("loses no click while an answer is slow", async () => {
  const player = await Player.open();
  const gate = newGate();
  await player.page.route(steps, async (route) => {
    await gate.opened;
    await route.continue();
  });
  await player.page.getByRole("link", { name: "BordahBee", exact: true }).click();
  await player.click("A:e2", "A:e4", "B:g1", "B:f3");
  expect(await player.moves()).toBe("");
  gate.open();
  await player.seeMoves("A:e2e4/B:g1f3");
});

test("gives up a slow answer at once when the step is taken back", async () => {
  const player = await Player.open("#bordahbee");
  let slow = true;
  await player.click("A:e2");
  await player.seeMarked("target", ["A:e3", "A:e4"]);
  await player.page.route(steps, async (route) => {
    if (!slow) return route.continue();
    // Never answered.
  });
  await player.click("A:e4");
  await player.seeMarked("pending", ["A:e2", "A:e4"]);
  await player.page.keyboard.press("Escape");
  await player.seeMarked("pending", []);
  slow = false;
  await player.click("A:d2", "A:d4");
  await player.seeSquare("A:d4", "A d4, white pawn");
});

test("stays with the game chosen last, also if one asked for before it comes later", async () => {
  const player = await Player.open("#influence");
  const gate = newGate();
  await player.page.route("**/arbiter.v1.ArbiterService/GetInitialPosition", async (route) => {
    await gate.opened;
    // The page may have given it up.
    await route.continue().catch(() => {});
  });
  await player.button("New game, Above helps Black").click();
  await player.page.getByLabel("Game", { exact: true }).first().selectOption("gamma2");
  await player.see("White to move");
  gate.open();
  await player.page.waitForTimeout(300);
  expect(await player.text("h1")).toBe("Gamma2 Chess");
});

test("goes on with the step that got no answer, and not with clicks after it", async () => {
  const player = await Player.open("#bordahbee");
  await player.click("A:e2");
  await player.seeMarked("target", ["A:e3", "A:e4"]);
  const gate = newGate();
  await player.page.route(steps, async (route) => {
    await gate.opened;
    await refuse(route, 13, "defect");
  });
  await player.click("A:e4", "B:d2");
  gate.open();
  await expect.poll(() => player.text(".turn-bar .problem p")).toBe("The server could not answer: defect");
  await player.page.unroute(steps);
  await player.seeMarked("selected", []);
  await player.button("Try again").click();
  await player.seeSquare("A:e4", "A e4, white pawn");
  await player.seeHint("Choose the next step.");
});

test("tries again by itself while the server is away for a moment", async () => {
  const player = await Player.open("#chess");
  let failures = 0;
  await player.page.route("**/arbiter.v1.ArbiterService/ApplyMove", (route) =>
    failures++ < 3 ? refuse(route, 14, "stopping") : route.continue(),
  );
  await player.click(":e2", ":e4");
  await player.seeHint("The server cannot be reached. Trying again…");
  await player.seeMoves("e2e4");
  expect(failures).toBe(4);
});

test("says that the server is away, and goes on when it is back", async () => {
  const player = await Player.open("#chess");
  await player.click(":e2");
  await player.seeMarked("target", [":e3", ":e4"]);
  await player.page.route("**/arbiter.v1.ArbiterService/*", (route) => route.abort("connectionrefused"));
  await player.click(":e4");
  await expect.poll(() => player.page.locator(".turn-bar .problem").count()).toBe(1);
  expect(await player.text(".problem p")).toBe("The server cannot be reached.");
  await player.screenshot("server-away");
  await player.page.unroute("**/arbiter.v1.ArbiterService/*");
  await player.button("Try again").click();
  await player.seeMoves("e2e4");
  expect(await player.page.locator(".problem").count()).toBe(0);
  // The browser itself complains of what could not be loaded; nothing else may be complained of.
  expect(player.complaints.every((complaint) => complaint.includes("ERR_CONNECTION_REFUSED"))).toBe(true);
  player.complaints.length = 0;
});

test("says that the server was too slow, and asks only when told to", async () => {
  const player = await Player.open("#chess");
  let calls = 0;
  await player.page.route("**/arbiter.v1.ArbiterService/ApplyMove", (route) => {
    calls++;
    return refuse(route, 4, "deadline");
  });
  await player.click(":e2", ":e4");
  await expect.poll(() => player.text(".turn-bar .problem p")).toBe("The server took too long to answer.");
  expect(calls).toBe(1);
});
