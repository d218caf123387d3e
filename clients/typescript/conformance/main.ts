/**
 * Asks a service about all the test data of the rules, over the wire, and fails where it disagrees.
 *
 *     npx tsx conformance/main.ts [--url http://127.0.0.1:50051] [--web] [--vectors FOLDER]
 *
 * Without an address it starts the service itself. `--web` asks by gRPC-web. The folder is tests/vectors if not given.
 */

import { parseArgs } from "node:util";
import type { Arbiter } from "@arbiter/client";
import { connect as overGrpc } from "@arbiter/client/node";
import { connect as overGrpcWeb } from "@arbiter/client/web";
import { Server } from "../tests/server.js";
import { checkGame, checkLongText, checkPerft, checkRow } from "./checks.js";
import { compare, type Task } from "./compare.js";
import { games, longTexts, perfts, rowFiles, vectorsFolder } from "./vectors.js";

const { values } = parseArgs({
  options: {
    url: { type: "string" },
    web: { type: "boolean", default: false },
    vectors: { type: "string", default: vectorsFolder },
  },
});

/** A check for each entry of the test data. */
function tasks(arbiter: Arbiter, folder: string): Task[] {
  const of = <Entry extends object>(file: string, entries: Entry[], check: Check<Entry>): Task[] =>
    entries.map((entry) => ({ file, entry, check: () => check(arbiter, entry) }));
  return [
    ...rowFiles(folder).flatMap(({ name, rows }) => of(name, rows, checkRow)),
    ...of("games.json", games(folder), checkGame),
    ...of("long.json", longTexts(folder), checkLongText),
    ...of("perft.json", perfts(folder), checkPerft),
  ];
}

type Check<Entry> = (arbiter: Arbiter, entry: Entry) => Promise<void>;

const server = values.url === undefined ? await Server.start() : undefined;
try {
  const url = values.url ?? server?.url ?? "";
  const arbiter = values.web ? overGrpcWeb(url) : overGrpc(url);
  const disagreements = await compare(tasks(arbiter, values.vectors), console);
  process.exitCode = disagreements === 0 ? 0 : 1;
} finally {
  await server?.stop();
}
