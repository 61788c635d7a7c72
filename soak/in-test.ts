import { spawnSync } from "node:child_process";

/**
 * Runs a proof that needs the inside of the Workers runtime: a test, with greater numbers than every day's.
 * @param test its file, and what its titles hold
 * @param settings what the test reads from its environment (vitest.config.ts)
 * @returns whether it passed
 */
export function proveInTest(
  { file, title }: { file: string; title: string },
  settings: Record<string, string>,
): { ok: boolean; durationMs: number } {
  const from = Date.now();
  const { status } = spawnSync("vitest", ["run", "--project", "workerd", file, "-t", title], {
    env: { ...process.env, ...settings },
    stdio: ["ignore", "inherit", "inherit"],
  });
  return { ok: status === 0, durationMs: Date.now() - from };
}
