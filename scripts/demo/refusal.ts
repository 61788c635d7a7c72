import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Settings with which the demo would write to something else than this machine. */
const FOREIGN = ["S3_ENDPOINT", "STRIPE_API_URL", "STRIPE_SECRET_KEY"];

/**
 * Says why the demo must not run: it makes accounts with known passwords, so it stays on this machine.
 * @param env of the process @returns null when the demo may run
 */
export function refusalOf(env: Record<string, string | undefined>): string | null {
  const { APP_ENV = "development" } = env;
  if (APP_ENV !== "development") return `The demo runs in development only, and APP_ENV is "${APP_ENV}".`;
  const found = FOREIGN.find((name) => env[name]);
  if (found !== undefined) return `The demo uses nothing but this machine. Unset ${found} and start it again.`;
  return null;
}

/**
 * Claims a folder of data for this process, since two servers would damage one database.
 * @returns why the folder cannot be used: another demo uses it. Null when it is claimed
 */
export function claim(folder: string): string | null {
  const path = join(folder, "demo.pid");
  const holder = readNumber(path);
  if (holder !== null && holder !== process.pid && isRunning(holder))
    return `Another demo (process ${holder}) uses the data in ${folder}. Stop it, or choose another folder: npm run demo -- --persist-to .wrangler/demo-2`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, String(process.pid));
  return null;
}

function readNumber(path: string): number | null {
  try {
    return Number(readFileSync(path, "utf8")) || null;
  } catch {
    return null;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process runs, and may not be signalled.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
