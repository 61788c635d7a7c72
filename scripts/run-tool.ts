import { spawnSync } from "node:child_process";

/**
 * Runs a tool of the build, and shows the tool's output only when the tool fails.
 * @param env variables that are added to the environment of this process
 * @throws Error when the tool fails; its output has been printed
 */
export function runTool(command: string, options: string[], env: Record<string, string> = {}): void {
  const result = spawnSync(command, options, {
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "production", ...env },
  });
  if (result.status === 0) return;
  console.error(`${result.stdout}${result.stderr}`);
  throw new Error("Building the pages failed");
}
