import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/**
 * `npm test` after the build: types, lint, and the tests of every day. `npm run soak -- tests` runs the others. Types
 * and lint run beside Vitest, which waits for disks and runtimes; their output is printed afterwards. Browser tests run
 * alone.
 */
const checks = spawn("npm run typecheck && npm run lint", { shell: true, stdio: ["ignore", "pipe", "pipe"] });
const output = Promise.all([text(checks.stdout), text(checks.stderr)]);
const [vitest, checksExitCode] = await Promise.all([
  run("vitest", ["run", "--tags-filter", "!long"]),
  exitCodeOf(checks),
]);
if (checksExitCode !== 0) console.error((await output).join(""));
const exitCode = vitest || checksExitCode;
process.exit(exitCode === 0 ? await run("playwright", ["test", "--grep", "@everyday"]) : exitCode);

function run(command: string, args: string[]): Promise<number> {
  return exitCodeOf(spawn(command, args, { stdio: "inherit" }));
}

async function exitCodeOf(child: ReturnType<typeof spawn>): Promise<number> {
  const [code] = (await once(child, "exit")) as [number | null];
  return code ?? 1;
}
