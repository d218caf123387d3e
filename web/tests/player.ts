import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";
import { screens } from "./stage";

const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

type Options = Parameters<Browser["newContext"]>[0];

let browser: Browser;
const opened: Player[] = [];

/** To be called once in each file of tests: starts the browser, and after each test looks at what it complained about. */
export function useBrowser() {
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: flags });
  });
  afterEach(async () => {
    const complaints = opened.flatMap((player) => player.complaints);
    await Promise.all(opened.splice(0).map(({ page }) => page.context().close()));
    expect(complaints).toEqual([]);
  });
  afterAll(() => browser.close());
}

/** Someone who has the page before them. */
export class Player {
  /** What the browser wrote to its console as errors, among them what the content security policy forbids. */
  readonly complaints: string[] = [];

  private constructor(readonly page: Page) {
    page.on("pageerror", (error) => this.complaints.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") this.complaints.push(message.text());
    });
  }

  /** Opens the page with a fragment. Motion is off, so that what is seen is final. */
  static async open(fragment = "", options: Options = {}): Promise<Player> {
    const context = await browser.newContext({ reducedMotion: "reduce", ...options });
    const player = new Player(await context.newPage());
    opened.push(player);
    await player.page.goto(inject("page") + fragment);
    await player.page.locator(".board, .gallery, .trouble .problem").first().waitFor();
    return player;
  }

  /** Opens a game that starts from a position. */
  static from(variant: string, fen: string, options: Options = {}): Promise<Player> {
    return Player.open(`#${variant}&fen=${encodeURIComponent(fen)}`, options);
  }

  square(place: string) {
    return this.page.locator(`.boards [data-place="${place}"]`);
  }

  async click(...places: string[]): Promise<void> {
    for (const place of places) await this.square(place).click();
  }

  button(name: string) {
    return this.page.getByRole("button", { name, exact: true });
  }

  /** The places that have a mark, in the order of the boards as they are seen. */
  marked(mark: string): Promise<string[]> {
    return this.page
      .locator(`.boards .is-${mark}`)
      .evaluateAll((squares) => squares.map((square) => (square as HTMLElement).dataset.place ?? ""));
  }

  async text(selector: string): Promise<string> {
    return (await this.page.locator(selector).first().textContent()) ?? "";
  }

  /** The moves of the game, as its address has them. */
  async moves(): Promise<string> {
    const fragment = new URL(this.page.url()).hash;
    return decodeURIComponent(/moves=([^&]*)/.exec(fragment)?.[1] ?? "");
  }

  async see(status: string): Promise<void> {
    await expect.poll(() => this.text(".status")).toBe(status);
  }

  async seeMoves(moves: string): Promise<void> {
    await expect.poll(() => this.moves()).toBe(moves);
  }

  async seeHint(hint: string): Promise<void> {
    await expect.poll(() => this.text(".hint")).toBe(hint);
  }

  async seeMarked(mark: string, places: string[]): Promise<void> {
    await expect.poll(async () => (await this.marked(mark)).sort()).toEqual([...places].sort());
  }

  /** What is read out of a square. */
  async seeSquare(place: string, words: string): Promise<void> {
    await expect.poll(() => this.square(place).getAttribute("aria-label")).toBe(words);
  }

  async screenshot(name: string): Promise<void> {
    await this.page.screenshot({ path: join(screens, `${name}.png`) });
  }
}
