import { spawnSync } from "node:child_process";

/** The test that plays lives of subscriptions, inside workerd and against Stripe's double. */
const TEST = "test/worker/billing-webhook.test.ts";
const TITLE = "the plan comes out right";

/**
 * Plays that many lives of subscriptions (test/support/subscription-life.ts), the seeds from 1 on.
 * @returns whether every plan came out as Stripe has it
 */
export function proveLives(count: number): { ok: boolean; durationMs: number } {
  const from = Date.now();
  const { status } = spawnSync("vitest", ["run", "--project", "workerd", TEST, "-t", TITLE], {
    env: { ...process.env, BILLING_LIVES: String(count) },
    stdio: ["ignore", "inherit", "inherit"],
  });
  return { ok: status === 0, durationMs: Date.now() - from };
}
