import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/**
 * Everything that `npm test` runs once the pages are built. Vitest waits for one runtime most of the time, so types and
 * lint are checked beside it; what they say comes after it. The browser's tests have the machine to themselves.
 */
const checks = spawn("npm run types && npm run lint", { shell: true, stdio: ["ignore", "pipe", "pipe"] });
const said = Promise.all([text(checks.stdout), text(checks.stderr)]);
const [vitest, checked] = await Promise.all([run("vitest", ["run"]), codeOf(checks)]);
if (checked !== 0) console.error((await said).join(""));
const unit = vitest || checked;
process.exit(unit === 0 ? await run("playwright", ["test"]) : unit);

/** @returns what it exits with */
function run(command: string, args: string[]): Promise<number> {
  return codeOf(spawn(command, args, { stdio: "inherit" }));
}

async function codeOf(child: ReturnType<typeof spawn>): Promise<number> {
  const [code] = (await once(child, "exit")) as [number | null];
  return code ?? 1;
}
