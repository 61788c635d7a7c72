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
/** A kill comes so long after the runs have begun, milliseconds. */
const SOONEST_MS = 100;
const LATEST_MS = 900;
/** More turns than any run needs: then it does not end. */
const MOST_TURNS = 500;

export interface SweepProof {
  seed: number;
  rows: number;
  /** Expired rows whose object was really there. */
  objects: number;
  kills: number;
  /** Rows that had been swept when the last kill came. */
  sweptUnderKills: number;
  /** The rest, swept by overlapping runs that nobody killed. */
  rest: { rows: number; durationMs: number };
  problems: string[];
}

export interface SweepOptions {
  seed: number;
  /** Expired rows. */
  rows: number;
  /** Objects that belong to them. */
  objects: number;
  kills: number;
  log: (line: string) => void;
}

/**
 * Lets ten runs of the cron at a time sweep a mass of expired files, kills the whole runtime under them again and again,
 * and lets them end. Then every expired file's bytes have to be gone, and nothing else touched.
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

/** Runs that a kill may cut off; one that the server refuses is noticed by what it leaves. */
async function overlappingRuns(server: LocalServer): Promise<void> {
  await Promise.allSettled(Array.from({ length: OVERLAPPING }, () => server.runCron()));
}

async function sweepToTheEnd(server: LocalServer, log: (line: string) => void): Promise<void> {
  for (let turn = 1; turn <= MOST_TURNS; turn += 1) {
    await overlappingRuns(server);
    const left = await countOverdue(server);
    log(`${left} rows left`);
    if (left === 0) return;
  }
  throw new Error("the sweep does not come to an end");
}

/** Everything that living files' rows say. */
async function livingRows(server: LocalServer): Promise<string> {
  return JSON.stringify(await server.execute("select * from files where id like 'l%' order by id"));
}

/** Those that have an object. */
async function stored(store: Store, names: string[]): Promise<string[]> {
  const found: string[] = [];
  await inParallel(names, UPLOADS_AT_ONCE, async (name) => {
    if (await store.has(`files/${name}`)) found.push(name);
  });
  return found;
}

/** Rows a second. */
export function paceOf({ rest }: SweepProof): number {
  return Math.round(rest.rows / (rest.durationMs / SECOND_MS));
}
