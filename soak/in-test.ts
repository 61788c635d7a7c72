import { spawnSync } from "node:child_process";

/** Far more than any test says. */
const MOST_OUTPUT_BYTES = 64 * 1024 * 1024;

export interface TestProof {
  /** Whether it passed. */
  ok: boolean;
  durationMs: number;
  /** What the test said, a line each. */
  lines: string[];
}

/**
 * Runs a proof that needs the inside of the Workers runtime: a test, with greater numbers than every day's.
 * @param test its file, and what its titles hold
 * @param settings what the test reads from its environment (vitest.config.ts)
 */
export function proveInTest(
  { file, title }: { file: string; title: string },
  settings: Record<string, string>,
): TestProof {
  const from = Date.now();
  const options = ["run", "--project", "workerd", "--silent=false", file, "-t", title];
  const { status, stdout } = spawnSync("vitest", options, {
    env: { ...process.env, ...settings },
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: MOST_OUTPUT_BYTES,
    encoding: "utf8",
  });
  console.log(stdout);
  return { ok: status === 0, durationMs: Date.now() - from, lines: stdout.split("\n") };
}
