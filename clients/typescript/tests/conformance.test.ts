/** The conformance run notices every kind of disagreement. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { fileURLToPath } from "node:url";
import {
  type Arbiter,
  IllegalitySchema,
  type LegalStepsResponse,
  LegalStepsResponseSchema,
} from "@arbiter/client";
import { connect } from "@arbiter/client/node";
import { create, isMessage } from "@bufbuild/protobuf";
import { checkGame, checkLongText, checkPerft, checkRow } from "../conformance/checks.js";
import { compare } from "../conformance/compare.js";
import {
  games,
  type InvalidRow,
  longTexts,
  perfts,
  rowFiles,
  type ValidRow,
  vectorsFolder,
} from "../conformance/vectors.js";
import { Server } from "./server.js";

let server: Server;
let arbiter: Arbiter;
before(async () => {
  server = await Server.start();
  arbiter = connect(server.url);
});
after(() => server.stop());

const rows = rowFiles(vectorsFolder).flatMap((file) => file.rows);
const valid = (fits: (row: ValidRow) => boolean) =>
  rows.find((row): row is ValidRow => !("invalid" in row) && fits(row));
const invalid = rows.find((row): row is InvalidRow => "invalid" in row);

/** Whether the check lets the entry pass as it is, and notices each of the wrong ones, by this word. */
async function notices<Entry extends object>(
  check: (arbiter: Arbiter, entry: Entry) => Promise<void>,
  entry: Entry | undefined,
  wrong: (right: Entry) => Record<string, object>,
): Promise<void> {
  assert.ok(entry);
  const ask = async (entry: object) => {
    const said: string[] = [];
    const writer = { log: () => {}, error: (line: string) => said.push(line) };
    const count = await compare(
      [{ file: "file", entry, check: () => check(arbiter, entry as Entry) }],
      writer,
    );
    assert.equal(said.length, count);
    return said.join();
  };
  assert.equal(await ask(entry), "");
  for (const [word, one] of Object.entries(wrong(entry))) {
    assert.ok((await ask(one)).includes(word), `not noticed: ${word}`);
  }
}

it("notices wrong rows with all moves", async () => {
  const won = valid((row) => row.status.state === "won" && row.variant === "chess");
  const listed = valid((row) => row.variant === "chess" && row.moves !== undefined && row.count > 2);
  await notices(checkRow, listed, (right) => ({
    "the count": { ...right, count: right.count + 1 },
    "the moves": { ...right, moves: right.moves?.slice(1) ?? [] },
    "the hash": { ...right, sha256: right.sha256.replace(/^./, (digit) => (digit === "0" ? "1" : "0")) },
    "the status": { ...right, status: { ...right.status, checked: ["e1"] } },
    "the position after": { ...right, after: right.after.map(([move]) => [move, right.position] as const) },
    "is illegal": { ...right, after: [["h4h3", right.position]] },
    INVALID_POSITION: { ...right, position: "8/8/8/8/8/8/8/8 w - - 0 1" },
    "taken for a valid one": { variant: right.variant, position: right.position, invalid: "MISSING_KING" },
  }));
  await notices(checkRow, won, (right) => ({
    "the status": { ...right, status: { ...right.status, winner: right.status.winner === "w" ? "b" : "w" } },
  }));
});

it("notices wrong rows without the moves", async () => {
  await notices(
    checkRow,
    valid((row) => row.by_first_step !== undefined),
    (right) => ({
      "by first step": { ...right, by_first_step: { ...right.by_first_step, "A:a1a2": 1_000 } },
      "the hash": { ...right, sha256: "" },
    }),
  );
});

it("notices wrong steps", async () => {
  const going = valid((row) => row.variant === "bordahbee" && row.count > 0);
  const over = valid((row) => row.variant === "chess" && row.count === 0);
  assert.ok(going && over);
  const notice = async (row: ValidRow, change: (answer: LegalStepsResponse) => void, word: RegExp) => {
    const lying = connect(server.url, {
      interceptors: [
        (next) => async (request) => {
          const answer = await next(request);
          if (!answer.stream && isMessage(answer.message, LegalStepsResponseSchema)) change(answer.message);
          return answer;
        },
      ],
    });
    await assert.rejects(checkRow(lying, row), word);
    lying.close();
  };
  const refusal = { legal: false, illegality: create(IllegalitySchema) };
  await notice(going, (answer) => answer.steps.pop(), /the steps offered after no step/);
  await notice(going, (answer) => answer.steps.reverse(), /the steps offered after no step/);
  await notice(going, (answer) => Object.assign(answer, { complete: true }), /complete after no step/);
  await notice(going, (answer) => Object.assign(answer, { complete: false }), /complete after A:/);
  await notice(going, (answer) => Object.assign(answer, refusal), /no move is offered/);
  await notice(over, (answer) => Object.assign(answer, { legal: true }), /why no step is offered/);
});

it("notices wrong faults", async () => {
  await notices(checkRow, invalid, (right) => ({ "the faults are": { ...right, invalid: "BOTH_LOST" } }));
});

it("notices wrong games", async () => {
  await notices(checkGame, games(vectorsFolder)[0], (right) => ({
    "the game is illegal": { ...right, moves: [...right.moves, "a1a1"] },
    "the positions": { ...right, positions: right.positions.map(() => right.start) },
    "the status": { ...right, statuses: right.statuses.map((status) => ({ ...status, state: "won" })) },
  }));
});

it("notices wrong long texts", async () => {
  const entries = longTexts(vectorsFolder);
  await notices(
    checkLongText,
    entries.find((entry) => entry.variant === "chess" && entry.move !== undefined),
    (right) => ({
      move: { ...right, move: "a1a1" },
      illegal: { ...right, text: "Ka1-b8" },
      error: { ...right, error: "ILLEGAL_MOVE" },
    }),
  );
  await notices(
    checkLongText,
    entries.find((entry) => entry.error === "AMBIGUOUS_MOVE"),
    (right) => ({
      "the candidates": { ...right, candidates: right.candidates?.slice(1) ?? [] },
      AMBIGUOUS: { ...right, error: "ILLEGAL_MOVE" },
    }),
  );
});

it("notices wrong counts", async () => {
  await notices(checkPerft, perfts(vectorsFolder)[0], (right) => ({
    "perft 1": { ...right, counts: [21, 400] },
    "perft 2": { ...right, counts: [20, 401] },
  }));
});

it("ends with 1 where data and service disagree, with 0 where they do not", { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "arbiter-vectors-"));
  const run = async (row: ValidRow) => {
    writeFileSync(join(folder, "chess.jsonl"), `${JSON.stringify(row)}\n`);
    for (const name of ["games.json", "long.json"]) writeFileSync(join(folder, name), "[]");
    writeFileSync(join(folder, "perft.json"), "{}");
    const main = fileURLToPath(new URL("../conformance/main.ts", import.meta.url));
    const options = ["--import", "tsx", main, "--url", server.url, "--vectors", folder];
    const child = spawn(process.execPath, options, { stdio: "ignore" });
    return (await once(child, "exit"))[0];
  };
  const right = valid((row) => row.variant === "chess" && row.count > 0);
  assert.ok(right);
  assert.equal(await run(right), 0);
  assert.equal(await run({ ...right, count: right.count - 1 }), 1);
  rmSync(folder, { recursive: true });
});
