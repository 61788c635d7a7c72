import { setTimeout as wait } from "node:timers/promises";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/units.ts";
import { createAccount } from "../bench/support/account.ts";
import type { LocalServer } from "../scripts/local-server.ts";
import { Client } from "./client.ts";
import { NOTHING_YET, type GuardCounts } from "./guards/counts.ts";
import { GateFiles } from "./guards/gate-files.ts";
import { LinkLane } from "./guards/link-lane.ts";
import { onServer } from "./on-server.ts";
import { Seeded } from "./seeded.ts";

/** The longest time from the end of the last recipient to the kill, so that the kill interrupts something. */
const LATEST_MS = 300;
/** The time that passes while the runtime is down: none, a lease's silence, the hour after a file, or over a day. */
const PAUSES_MS = [0, 0, 16 * MINUTE_MS, 16 * MINUTE_MS, 61 * MINUTE_MS, DAY_MS + HOUR_MS];
/** The rows in D1 must agree with the gates within this time. */
const MIRRORED_WITHIN_MS = MINUTE_MS;
const POLL_MS = 1_000;
const LOOK_EVERY_MS = 20;

export interface GuardsProof extends GuardCounts {
  seed: number;
  kills: number;
  /** The sum of the hours by which the clocks of leases were moved. */
  hours: number;
  problems: string[];
}

export interface GuardsOptions {
  seed: number;
  kills: number;
  /** How many links are open at the same time. */
  links: number;
  /** How many recipients end their visit between a restart and the next kill, at least and at most. */
  recipientsBeforeKill: [min: number, max: number];
  log: (line: string) => void;
}

/**
 * Recipients download over HTTP from links with a limit and a password, the links' owner changes limit and password,
 * and the whole local runtime is killed repeatedly. No limit may be exceeded, nothing counted twice, nobody counted
 * without the bytes, and no bytes given without a grant and a lease.
 */
export function proveGuards(options: GuardsOptions): Promise<GuardsProof> {
  const { seed, kills, links, log } = options;
  return onServer(log, async (server) => {
    const client = new Client(server.origin, await createAccount(server));
    const result: GuardsProof = { seed, kills: 0, hours: 0, problems: [], ...NOTHING_YET };
    const gates = new GateFiles(server.folder);
    const lanes = Array.from(
      { length: links },
      (_, index) => new LinkLane(client, server.origin, `${seed}-link-${index}`, result, result.problems),
    );
    const moments = new Seeded(`${seed}-guard-kills`);
    while (result.kills < kills) {
      const goal = endedOf(result) + moments.between(...options.recipientsBeforeKill);
      const delayMs = moments.between(0, LATEST_MS);
      let isKilled = false;
      const working = Promise.all(lanes.map((lane) => lane.work(() => isKilled)));
      while (endedOf(result) < goal) await Promise.race([wait(LOOK_EVERY_MS), working]);
      await wait(delayMs);
      isKilled = true;
      await Promise.all([server.kill(), working]);
      letTimePass(lanes, gates, moments, result);
      await server.start();
      for (const lane of lanes) lane.wake();
      result.kills += 1;
      const { recipients, finished, uncounted, problems } = result;
      log(
        `kill ${result.kills}/${kills}: ${recipients} recipients, ${finished} counted, ${uncounted} not because of a ` +
          `kill, ${problems.length} problems`,
      );
    }
    await Promise.all(lanes.map((lane) => lane.finish()));
    await checkRows(server, lanes, gates, result);
    return result;
  });
}

function endedOf({ finished, uncounted, left, turnedAway }: GuardCounts): number {
  return finished + uncounted + left + turnedAway;
}

/** Checks what the gates have stored, and moves their clocks unless a counted recipient's hour would run out. */
function letTimePass(lanes: LinkLane[], gates: GateFiles, moments: Seeded, result: GuardsProof): void {
  const stored = gates.read();
  const pauseMs = PAUSES_MS[moments.between(0, PAUSES_MS.length - 1)] ?? 0;
  const pauses = lanes.flatMap((lane) => [...lane.checkStored(stored)]);
  const passing = new Set(pauses.filter(([, longestMs]) => pauseMs <= longestMs).map(([downloadId]) => downloadId));
  if (pauseMs === 0) return;
  gates.letTimePass(pauseMs, passing);
  result.hours += (passing.size * pauseMs) / HOUR_MS;
  if (pauseMs > DAY_MS) for (const lane of lanes) lane.forget(passing);
}

/** Waits until the rows in D1 agree with the gates, and reports the differences that are left after the deadline. */
async function checkRows(server: LocalServer, lanes: LinkLane[], gates: GateFiles, result: GuardsProof): Promise<void> {
  for (const lane of lanes) lane.checkStored(gates.read());
  for (const lane of lanes) lane.checkFinished();
  const links = new Map(lanes.flatMap((lane) => lane.links.map((link) => [link.downloadId, link])));
  const deadline = Date.now() + MIRRORED_WITHIN_MS;
  for (;;) {
    const rows = await server.execute<{ id: string; most: number; used: number }>(
      `select download_id as id, max_downloads as most, downloads_used as used from files where max_downloads > 0`,
    );
    const wrong = rows.flatMap(({ id, most, used }) => links.get(id)?.differencesOf(most, used) ?? []);
    if (wrong.length === 0) return;
    if (Date.now() > deadline) {
      result.problems.push(...wrong);
      return;
    }
    await wait(POLL_MS);
  }
}
