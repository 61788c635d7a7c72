import { setTimeout as wait } from "node:timers/promises";
import { createAccount } from "../bench/support/account.ts";
import { Client } from "./client.ts";
import { awaitDeletions, CronLane, DeletionLane, type Deletions } from "./deletions.ts";
import { Lane, type SoakTransport, type Tally } from "./lane.ts";
import { onServer } from "./on-server.ts";
import { Seeded } from "./seeded.ts";

const TRANSPORTS: SoakTransport[] = ["presigned", "relayed", "chunks"];

/** The shortest time from the uploads' start to the kill, in milliseconds. */
const SOONEST_MS = 300;
const LATEST_MS = 5_000;

export interface Kills extends Tally {
  seed: number;
  kills: number;
  interruptedRequests: number;
  deletions: Deletions;
}

export interface KillsOptions {
  seed: number;
  count: number;
  uploadsPerTransport: number;
  /** Whether a kill waits until every lane has an acknowledged part or chunk, however slow the machine is. */
  waitsForAcknowledgements: boolean;
  log: (line: string) => void;
}

/**
 * Repeatedly kills the whole local runtime during uploads on every transport, deletions and cron runs, and restarts it
 * on the same storage. Everything acknowledged must survive, and every file must arrive unchanged.
 */
export function proveKills({
  seed,
  count,
  uploadsPerTransport,
  waitsForAcknowledgements,
  log,
}: KillsOptions): Promise<Kills> {
  return onServer(log, async (server) => {
    const client = new Client(server.origin, await createAccount(server));
    const result: Kills = {
      seed,
      kills: 0,
      interruptedRequests: 0,
      finished: 0,
      finishedBytes: 0,
      checked: { parts: 0, chunks: 0 },
      problems: [],
      deletions: { files: 0, accounts: 0, goneChecked: 0, keptChecked: 0 },
    };
    const transports = Array.from({ length: uploadsPerTransport }, () => TRANSPORTS).flat();
    const deleting = new DeletionLane(server, `${seed}-deletions`, result, result.deletions);
    const lanes = [
      ...transports.map((transport, index) => new Lane(client, transport, `${seed}-${transport}-${index}`, result)),
      deleting,
      new CronLane(server, result),
    ];
    const moments = new Seeded(`${seed}-kills`);
    while (result.kills < count) {
      const moment = moments.between(SOONEST_MS, LATEST_MS);
      let isKilled = false;
      const working = Promise.all(lanes.map((lane) => lane.work(() => isKilled)));
      // Lanes end early only because of failures.
      const isRipe = () => !waitsForAcknowledgements || lanes.every((lane) => lane.hasAcknowledged);
      await Promise.race([wait(moment).then(() => client.until(isRipe)), working]);
      isKilled = true;
      const interruptedRequests = client.inFlight;
      await Promise.all([server.kill(), working]);
      await server.start();
      const before = { ...result.checked };
      await Promise.all(lanes.map((lane) => lane.check()));
      result.kills += 1;
      result.interruptedRequests += interruptedRequests;
      const { parts, chunks } = result.checked;
      log(
        `kill ${result.kills}/${count} after ${moment} ms cut off ${interruptedRequests} requests; ` +
          `known again: ${parts - before.parts} parts, ${chunks - before.chunks} chunks; ` +
          `finished so far: ${result.finished}; problems: ${result.problems.length}`,
      );
    }
    await Promise.all(lanes.map((lane) => lane.finish(() => false)));
    await awaitDeletions(server);
    await deleting.check();
    await deleting.checkStore();
    return result;
  });
}
