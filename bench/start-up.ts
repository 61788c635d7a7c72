import { execFileSync } from "node:child_process";
import { wranglerEnv } from "../scripts/wrangler-env.ts";
import type { Bench } from "./support/bench.ts";
import type { Row } from "./support/measure.ts";

const BUDGET_MS = 250;

/** CPU time until the Worker accepts requests, as profiled by wrangler. */
export function measureStartUp({ server }: Bench): Promise<Row[]> {
  const args = ["check", "startup", "--outfile", `${server.folder}/startup.cpuprofile`];
  const output = execFileSync("wrangler", args, { env: { ...wranglerEnv, NODE_ENV: "production" }, encoding: "utf8" });
  const active = /Active: ([\d.]+) ms/.exec(output)?.[1];
  if (active === undefined) throw new Error(`wrangler measured nothing: ${output}`);
  return Promise.resolve([{ what: "the Worker's start-up (limit)", productMs: Number(active), floorMs: BUDGET_MS }]);
}
