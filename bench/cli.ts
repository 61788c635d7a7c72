import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { formatBytes, GIB } from "#domain/units.ts";
import type { Bench } from "./support/bench.ts";
import { measureInTurns, withoutSetup, type Row, type Setup } from "./support/measure.ts";
import { randomFile, type RandomFile } from "./support/random-file.ts";
import { fromOwnPage } from "./upload.ts";

const run = promisify(execFile);

const PROGRAM = resolve("build/cli/mayfly.js");
const STARTS = 20;
const START_BUDGET_MS = 120;

/** Compares the command line's start with an empty program, and an upload by it with the same upload by the page. */
export async function measureCli(bench: Bench): Promise<Row[]> {
  const { version, empty } = await measureInTurns(
    { version: startWith(PROGRAM, "--version"), empty: startWith("--eval", "0") },
    STARTS,
  );
  const file = await randomFile(bench.server.folder, GIB);
  const { key } = await bench.account.post<{ key: string }>("/api/keys", { name: "Bench", scopes: ["upload"] });
  const { program, page } = await measureInTurns({
    program: () => fromProgram(bench, file, key),
    page: () => fromOwnPage(bench, file, []),
  });
  const what = `up, 1 x ${formatBytes(GIB)}, with the command line, floor is the page`;
  return [
    { what: "the command line's start (limit)", productMs: version, floorMs: START_BUDGET_MS },
    { what: "the same, floor is an empty program", productMs: version, floorMs: empty },
    { what, productMs: program, floorMs: page, sizeBytes: GIB },
  ];
}

/** @param args the arguments of Node */
function startWith(...args: string[]): Setup {
  return withoutSetup(async () => {
    await run(process.execPath, args);
  });
}

function fromProgram({ server, store }: Bench, file: RandomFile, key: string): ReturnType<Setup> {
  const env = { MAYFLY_URL: server.origin, MAYFLY_KEY: key, HOME: server.folder };
  let id = "";
  return Promise.resolve({
    run: async () => {
      const { stdout } = await run(process.execPath, [PROGRAM, "send", file.path, "--json", "--quiet"], { env });
      ({ id } = JSON.parse(stdout) as { id: string });
    },
    clear: () => store.delete(`files/${id}`),
  });
}
