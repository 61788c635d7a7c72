import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { wranglerEnv } from "../../scripts/wrangler-env.ts";

const run = promisify(execFile);

interface Answer {
  results: Record<string, string | number | null>[];
}

/** Runs SQL against the running server's D1, from outside. @returns the rows */
export async function query(sql: string): Promise<Answer["results"]> {
  const state = process.env.E2E_STATE ?? "";
  const args = ["d1", "execute", "DB", "--local", "--persist-to", state, "--json", "--command", sql];
  const { stdout } = await run("wrangler", args, { env: wranglerEnv });
  const [answer] = JSON.parse(stdout) as Answer[];
  return answer?.results ?? [];
}
