import { spawnSync } from "node:child_process";
import { wranglerEnv } from "./wrangler-env.ts";

/** Generates the type `Env` from wrangler.toml and the secrets' names, then checks the three TypeScript projects. */
const GENERATE = [
  "types",
  "worker/env.d.ts",
  "--include-runtime=false",
  "--strict-vars=false",
  "--env-file",
  ".dev.vars.example",
];

run("wrangler", GENERATE);
for (const name of ["app", "engine", "worker"]) {
  // With this file the next check looks only at sources that have changed.
  const incremental = ["--incremental", "--tsBuildInfoFile", `.tmp/types/${name}.tsbuildinfo`];
  run("tsc", ["--project", `tsconfig.${name}.json`, ...incremental]);
}

function run(command: string, args: string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", env: wranglerEnv });
  if (status === 0) return;
  console.error(`${stdout}${stderr}`);
  process.exit(1);
}
