import { mkdir } from "node:fs/promises";
import { SECOND_MS } from "#domain/units.ts";
import { prepareServer, type LocalServer } from "../scripts/local-server.ts";
import { query } from "#test/e2e/support/database.ts";
import { startChromium } from "./browsers/chromium.ts";
import type { Engine, EngineOptions } from "./browsers/engine.ts";
import { startFirefox } from "./browsers/firefox.ts";
import { Line } from "./browsers/line.ts";
import { folder } from "./browsers/folder.ts";
import { following } from "./browsers/following.ts";
import { happyPath } from "./browsers/happy-path.ts";
import { previews } from "./browsers/previews.ts";
import { sealed } from "./browsers/sealed.ts";
import { within } from "./browsers/processes.ts";
import { startWebKit } from "./browsers/webkit.ts";
import { World, type Outcome, type Scenario } from "./browsers/world.ts";

const ENGINES = { chromium: startChromium, firefox: startFirefox, webkit: startWebKit };
export type EngineName = keyof typeof ENGINES;
export const ENGINE_NAMES = Object.keys(ENGINES) as EngineName[];

/** @param list comma-separated names; undefined for all engines @returns null for an unknown name */
export function enginesNamed(list: string | undefined): EngineName[] | null {
  const names = list?.split(",").map((name) => name.trim()) ?? ENGINE_NAMES;
  return names.every((name): name is EngineName => (ENGINE_NAMES as string[]).includes(name)) ? names : null;
}

const SCENARIOS: Scenario[] = [happyPath, previews, folder, sealed, following];

/** The longest time for a scenario in one engine. */
const LIMIT_MS = 300 * SECOND_MS;

const STOP_SIGNALS = ["SIGINT", "SIGTERM"] as const;

export interface EngineProof {
  version: string;
  outcomes: Outcome[];
  /** The reason if a scenario ended early, and unexpected console errors. */
  problems: string[];
  durationMs: number;
}

/**
 * Runs every scenario in each engine, on a local system behind a line that can be cut. A missing engine is a problem.
 */
export async function proveBrowsers(names: EngineName[], log: (line: string) => void): Promise<EngineProof[]> {
  const interrupted = new AbortController();
  const interrupt = () => {
    interrupted.abort(new Error("interrupted"));
  };
  for (const signal of STOP_SIGNALS) process.once(signal, interrupt);
  const line = await Line.open();
  try {
    const server = await prepareServer({ publicOrigin: line.origin });
    try {
      await server.start();
      line.leadTo(server.origin);
      const proofs: EngineProof[] = [];
      for (const name of names) proofs.push(await proveEngine(name, { server, line, log, signal: interrupted.signal }));
      return proofs;
    } finally {
      await server.stop();
    }
  } finally {
    await line.close();
    for (const signal of STOP_SIGNALS) process.off(signal, interrupt);
  }
}

interface Stage {
  server: LocalServer;
  line: Line;
  log(line: string): void;
  /** Aborts on Ctrl-C. */
  signal: AbortSignal;
}

async function proveEngine(name: EngineName, { server, line, log, signal }: Stage): Promise<EngineProof> {
  const started = performance.now();
  const folder = `${server.folder}/${name}`;
  await mkdir(folder);
  const proof: EngineProof = { version: name, outcomes: [], problems: [], durationMs: 0 };
  let engine: Engine | undefined;
  let world: World | undefined;
  try {
    engine = await ENGINES[name]({ folder } satisfies EngineOptions);
    proof.version = engine.version;
    world = new World({ engine, line, folder, log, query: (sql) => query(sql, server.origin) });
    for (const scenario of SCENARIOS) {
      line.reset();
      await within(LIMIT_MS, scenario.name, scenario.play(world), signal);
    }
  } catch (error) {
    signal.throwIfAborted();
    proof.problems.push(reasonOf(error));
  } finally {
    await engine?.close();
  }
  proof.outcomes.push(...(world?.outcomes ?? []));
  proof.problems.push(...(world?.errors ?? []));
  proof.durationMs = performance.now() - started;
  for (const problem of proof.problems) log(`${proof.version}: ${problem}`);
  return proof;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`;
}
