/** Runs checks, some at a time, and tells how they went, file by file. */

/** One entry of the test data with its check, which throws where the service disagrees. */
export interface Task {
  readonly file: string;
  readonly entry: object;
  check(): Promise<void>;
}

/** Where to write. */
export interface Writer {
  log(line: string): void;
  error(line: string): void;
}

/** So many checks run at a time: while one waits for the service, others read its answers. */
const AT_A_TIME = 8;

/** Gives the number of entries on which data and service disagree. */
export async function compare(tasks: readonly Task[], writer: Writer): Promise<number> {
  if (tasks.length === 0) throw new Error("there is no test data");
  const begun = performance.now();
  const disagreements = new Map<string, number>();
  const queue = tasks.values();
  const work = async () => {
    for (const task of queue) {
      try {
        await task.check();
      } catch (error) {
        disagreements.set(task.file, (disagreements.get(task.file) ?? 0) + 1);
        const said = error instanceof Error ? error.message : String(error);
        writer.error(`${task.file}: ${start(JSON.stringify(task.entry))}\n  ${start(said, 2_000)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));

  for (const file of new Set(tasks.map((task) => task.file))) {
    const entries = tasks.filter((task) => task.file === file).length;
    const wrong = disagreements.get(file) ?? 0;
    writer.log(`${file.padEnd(40)} ${String(entries).padStart(4)} entries, ${wrong} disagreements`);
  }
  const total = [...disagreements.values()].reduce((sum, wrong) => sum + wrong, 0);
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  writer.log(`${tasks.length} entries, ${total} disagreements, ${seconds} s`);
  return total;
}

function start(text: string, length = 300): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
