import { execFileSync } from "node:child_process";
import { wranglerEnv } from "../scripts/wrangler-env.ts";
import type { Bench } from "./support/bench.ts";
import type { Row } from "./support/measure.ts";

/** What a cold start may cost before the first request is looked at. */
const BUDGET_MS = 150;

/** How long the Worker computes until it can take a request, as wrangler profiles it, beside its budget. */
export function measureStartUp({ server }: Bench): Promise<Row[]> {
  const args = ["check", "startup", "--outfile", `${server.folder}/startup.cpuprofile`];
  const said = execFileSync("wrangler", args, { env: { ...wranglerEnv, NODE_ENV: "production" }, encoding: "utf8" });
  const active = /Active: ([\d.]+) ms/.exec(said)?.[1];
  if (active === undefined) throw new Error(`wrangler measured nothing: ${said}`);
  return Promise.resolve([{ what: "the Worker's start-up (its budget)", wholeMs: Number(active), floorMs: BUDGET_MS }]);
}
