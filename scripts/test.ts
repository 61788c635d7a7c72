import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/**
 * `npm test` after the build: types, lint, and the tests of every day. `npm run soak -- tests` runs all other tests.
 * The tests of tools mostly wait for the servers that they start, so they run in parallel with the other tests, after
 * types and lint; the output of the tests of tools is printed at the end. Browser tests run alone.
 */
const EVERYDAY = "--tags-filter '!long'";
const beside = spawn(`npm run typecheck && npm run lint && vitest run --project tooling --maxWorkers 1 ${EVERYDAY}`, {
  shell: true,
  stdio: ["ignore", "pipe", "pipe"],
});
const output = Promise.all([text(beside.stdout), text(beside.stderr)]);
const exitCodes = await Promise.all([
  run(`vitest run --project unit --project worker ${EVERYDAY}`),
  exitCodeOf(beside),
]);
console.log((await output).join(""));
const failed = exitCodes.find((code) => code !== 0);
process.exit(failed ?? (await run("playwright test --grep @everyday")));

function run(command: string): Promise<number> {
  return exitCodeOf(spawn(command, { shell: true, stdio: "inherit" }));
}

async function exitCodeOf(child: ReturnType<typeof spawn>): Promise<number> {
  const [code] = (await once(child, "exit")) as [number | null];
  return code ?? 1;
}
