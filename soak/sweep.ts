import { setTimeout as wait } from "node:timers/promises";
import { HOUR_MS, SECOND_MS } from "#domain/units.ts";
import { addFileRows, countOverdue } from "../bench/support/file-rows.ts";
import { Store } from "../bench/support/store.ts";
import { prepareServer, type LocalServer } from "../scripts/local-server.ts";
import { Seeded } from "./seeded.ts";
import { inParallel } from "./soaked-upload.ts";

const LIVING = 1_000;
const OVERLAPPING = 10;
const UPLOADS_AT_ONCE = 16;
/** The shortest time from the start of the cron runs to the kill, in milliseconds. */
const SOONEST_MS = 100;
const LATEST_MS = 900;
/** The most turns: if a sweep needs more turns, it never ends. */
const MAX_TURNS = 500;

export interface SweepProof {
  seed: number;
  rows: number;
  objects: number;
  kills: number;
  sweptUnderKills: number;
  /** The rows that were left after the kills, and that overlapping runs swept. */
  rest: { rows: number; durationMs: number };
  problems: string[];
}

export interface SweepOptions {
  seed: number;
  rows: number;
  objects: number;
  kills: number;
  log: (line: string) => void;
}

/**
 * Sweeps a mass of expired files with ten parallel cron runs, kills the runtime during the runs, and lets later runs
 * finish the sweep. All expired bytes must be gone, and nothing else changed.
 */
export async function proveSweep({ seed, rows, objects, kills, log }: SweepOptions): Promise<SweepProof> {
  const server = await prepareServer();
  try {
    await addFileRows(server, "e", rows, Date.now() - HOUR_MS);
    await addFileRows(server, "l", LIVING / 2, Date.now() + 1000 * HOUR_MS);
    await addFileRows(server, "l", LIVING / 2, null, LIVING / 2);
    await server.start();
    const store = new Store(server.origin);
    const expired = Array.from({ length: objects }, (_, index) => `e${Math.floor((index * rows) / objects) + 1}`);
    const living = Array.from({ length: LIVING }, (_, index) => `l${index + 1}`);
    await inParallel([...expired, ...living], UPLOADS_AT_ONCE, (name) =>
      store.put(`files/${name}`, new Uint8Array([1])),
    );
    log(`${rows} expired rows, ${objects} of them with an object; ${LIVING} living files`);
    const before = await livingRows(server);

    const moments = new Seeded(`${seed}-sweep-kills`);
    for (let kill = 1; kill <= kills; kill += 1) {
      const running = overlappingRuns(server);
      await wait(moments.between(SOONEST_MS, LATEST_MS));
      await Promise.all([server.kill(), running]);
      await server.start();
      if (kill % 5 === 0) log(`kill ${kill}/${kills}`);
    }
    const left = await countOverdue(server);
    log(`${rows - left} rows swept under kills`);
    const from = Date.now();
    const durationMs = await sweepToTheEnd(server, log).then(() => Date.now() - from);

    const problems: string[] = [];
    const still = await stored(store, expired);
    if (still.length > 0) problems.push(`${still.length} expired objects are still stored`);
    const kept = await stored(store, living);
    if (kept.length !== LIVING) problems.push(`${LIVING - kept.length} living objects are gone`);
    if ((await livingRows(server)) !== before) problems.push("living rows have changed");
    return { seed, rows, objects, kills, sweptUnderKills: rows - left, rest: { rows: left, durationMs }, problems };
  } finally {
    await server.stop();
  }
}

/** Starts cron runs that a kill may interrupt. A failed run shows in the rows and objects that it leaves. */
async function overlappingRuns(server: LocalServer): Promise<void> {
  await Promise.allSettled(Array.from({ length: OVERLAPPING }, () => server.runCron()));
}

async function sweepToTheEnd(server: LocalServer, log: (line: string) => void): Promise<void> {
  for (let turn = 1; turn <= MAX_TURNS; turn += 1) {
    await overlappingRuns(server);
    const left = await countOverdue(server);
    log(`${left} rows left`);
    if (left === 0) return;
  }
  throw new Error("the sweep does not come to an end");
}

async function livingRows(server: LocalServer): Promise<string> {
  return JSON.stringify(await server.execute("select * from files where id like 'l%' order by id"));
}

async function stored(store: Store, names: string[]): Promise<string[]> {
  const found: string[] = [];
  await inParallel(names, UPLOADS_AT_ONCE, async (name) => {
    if (await store.has(`files/${name}`)) found.push(name);
  });
  return found;
}

export function paceOf({ rest }: SweepProof): number {
  return Math.round(rest.rows / (rest.durationMs / SECOND_MS));
}
