import { spawnSync } from "node:child_process";

/** The test that sends them, inside workerd and to the whole Worker. */
const TEST = "test/worker/fuzz.test.ts";

/**
 * Sends that many requests, and a twentieth of it in messages on sockets (test/support/hostile-requests.ts).
 * @returns whether none of them made a fault
 */
export function proveFuzz(count: number, seed: number): { ok: boolean; durationMs: number } {
  const from = Date.now();
  const { status } = spawnSync("vitest", ["run", "--project", "workerd", TEST], {
    env: { ...process.env, FUZZ_REQUESTS: String(count), FUZZ_SEED: String(seed) },
    stdio: ["ignore", "inherit", "inherit"],
  });
  return { ok: status === 0, durationMs: Date.now() - from };
}
