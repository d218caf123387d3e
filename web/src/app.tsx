import { type Position, PositionView, type Side } from "./gen/arbiter/v1/position_pb";
import type { Variant } from "./gen/arbiter/v1/variant_pb";
import { Game } from "./model/game";
import { type Link, readLink, writeLink } from "./model/link";
import { type Arbiter, connect, type Traffic } from "./service/client";
import { type Problem, problemOf, wasCanceled } from "./service/problem";
import { Gallery } from "./view/gallery";
import { GamePage } from "./view/game-page";
import { ProblemView } from "./view/turn-bar";

/** What the page shows: the list of games, or the game that the address names. All of it is drawn anew on each change. */
export class App {
  private readonly arbiter: Arbiter;
  private traffic: Traffic = { open: 0 };
  private variants: Variant[] = [];
  private readonly starts = new Map<string, Position>();
  private game: Game | undefined;
  private problem: Problem | undefined;
  private opening = new AbortController();
  private drawing = false;

  constructor(
    baseUrl: string,
    private readonly draw: () => void,
  ) {
    this.arbiter = connect(baseUrl, (traffic) => {
      this.traffic = traffic;
      this.changed();
    });
  }

  start(): void {
    addEventListener("hashchange", () => this.follow());
    this.follow();
  }

  view() {
    const { game, variants, problem, traffic } = this;
    return (
      <>
        <header>
          {/* biome-ignore lint/a11y/useValidAnchor: the address without a game is that of the list of games. */}
          <a class="brand" href="#">
            Arbiter
          </a>
          {variants.length > 0 && <VariantSelect variants={variants} chosen={game?.variant.id ?? ""} />}
          <div class="progress" data-open={traffic.open > 0} />
        </header>
        {problem ? (
          <main class="trouble">
            <ProblemView problem={problem} onAgain={() => this.follow()} />
          </main>
        ) : game ? (
          <GamePage
            game={game}
            traffic={traffic}
            address={location.href}
            onNew={(army) => this.startNew(game.variant, army)}
            onSet={(fen) => this.setPosition(game.variant, fen)}
          />
        ) : readLink(location.hash) || variants.length === 0 ? (
          <main class="trouble">
            <p>{traffic.trouble ? `${traffic.trouble.text} Trying again…` : "…"}</p>
          </main>
        ) : (
          <Gallery variants={variants} starts={this.starts} />
        )}
      </>
    );
  }

  /** Opens what the address says. */
  private async follow(): Promise<void> {
    const link = readLink(location.hash);
    this.problem = undefined;
    this.show(undefined);
    try {
      if (link) await this.open(link);
      else await this.openGallery();
    } catch (error) {
      if (wasCanceled(error)) return;
      this.problem = problemOf(error);
    }
    this.changed();
  }

  /** Gives up what was being opened, so that an answer that comes late does not replace what was asked for since. */
  private begin(): AbortSignal {
    this.opening.abort();
    this.opening = new AbortController();
    return this.opening.signal;
  }

  private async open(link: Link): Promise<void> {
    const signal = this.begin();
    const variants = await this.loadVariants(signal);
    const variant = variants.find(({ id }) => id === link.variant);
    if (!variant) {
      this.problem = { text: `There is no game “${link.variant}” here.`, faults: [], ours: true };
      return;
    }
    const game = await Game.open(this.arbiter, variant, link, () => this.changed(), signal);
    if (!signal.aborted) this.show(game);
  }

  private async openGallery(): Promise<void> {
    const signal = this.begin();
    await this.loadVariants(signal);
    this.changed();
    const unknown = this.variants.filter(({ id }) => !this.starts.has(id));
    await Promise.all(
      unknown.map(async ({ id }) => {
        const request = { variant: id, positionView: PositionView.FULL };
        const { position } = await this.arbiter.getInitialPosition(request, { signal });
        if (position) this.starts.set(id, position);
      }),
    );
  }

  private async loadVariants(signal: AbortSignal): Promise<Variant[]> {
    if (this.variants.length === 0) this.variants = (await this.arbiter.listVariants({}, { signal })).variants;
    return this.variants;
  }

  private show(game: Game | undefined): void {
    this.game?.leave();
    this.game = game;
    this.changed();
  }

  /** A new game of the same kind; in influence with the army that the player Above helps. */
  private async startNew(variant: Variant, aboveArmy: Side): Promise<void> {
    try {
      const request = { variant: variant.id, aboveArmy };
      const { position } = await this.arbiter.getInitialPosition(request, { signal: this.begin() });
      await this.open({ variant: variant.id, moves: [], fen: aboveArmy ? position?.fen : undefined });
    } catch (error) {
      if (!wasCanceled(error)) this.problem = problemOf(error);
    }
    this.changed();
  }

  /** A game that starts from a position text. What is wrong with the text is given back, and the game before goes on. */
  private async setPosition(variant: Variant, fen: string): Promise<Problem | undefined> {
    try {
      await this.open({ variant: variant.id, moves: [], fen });
    } catch (error) {
      return wasCanceled(error) ? undefined : problemOf(error);
    }
  }

  /** Draws once a frame, however much has changed in it, and keeps the address that of the game. */
  private changed(): void {
    if (this.drawing) return;
    this.drawing = true;
    requestAnimationFrame(() => {
      this.drawing = false;
      const fragment = this.game && writeLink(this.game.link);
      if (fragment && fragment !== location.hash) history.replaceState(null, "", fragment);
      document.title = this.game ? `${this.game.variant.title} · Arbiter` : "Arbiter";
      this.draw();
    });
  }
}

function VariantSelect({ variants, chosen }: { variants: Variant[]; chosen: string }) {
  const go = (id: string) => {
    location.hash = id ? writeLink({ variant: id, moves: [] }) : "";
  };
  return (
    <select aria-label="Game" value={chosen} onChange={(event) => go(event.currentTarget.value)}>
      <option value="">All games</option>
      {variants.map(({ id, title }) => (
        <option value={id} key={id}>
          {title}
        </option>
      ))}
    </select>
  );
}
