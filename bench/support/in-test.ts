import { spawnSync } from "node:child_process";

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

export interface TestProof {
  ok: boolean;
  durationMs: number;
  lines: string[];
}

/**
 * Runs a test of the suite, in its own runtime, with larger numbers than usual.
 * @param test file, and a part of the title
 * @param settings environment of the test (in the Workers runtime, vitest.config.ts passes it on)
 */
export function proveInTest(
  { file, title }: { file: string; title: string },
  settings: Record<string, string>,
): TestProof {
  const from = Date.now();
  const project = file.startsWith("test/unit/") ? "unit" : "worker";
  const options = ["run", "--project", project, "--silent=false", file, "-t", title];
  const { status, stdout } = spawnSync("vitest", options, {
    env: { ...process.env, ...settings },
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: MAX_OUTPUT_BYTES,
    encoding: "utf8",
  });
  console.log(stdout);
  // Vitest also succeeds when the title matches no test.
  return {
    ok: status === 0 && /Tests .*\d passed/.test(stdout),
    durationMs: Date.now() - from,
    lines: stdout.split("\n"),
  };
}
