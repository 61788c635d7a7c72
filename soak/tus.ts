import { setTimeout as wait } from "node:timers/promises";
import { formatBytes, MIB } from "#domain/units.ts";
import { createAccount } from "../bench/support/account.ts";
import { Client } from "./client.ts";
import type { SoakOptions } from "./in-tests.ts";
import { onServer } from "./on-server.ts";
import { report } from "./report.ts";
import { Seeded } from "./seeded.ts";
import { TusLane, type TusTally } from "./tus-lane.ts";

/** The shortest time before the runtime is killed, in milliseconds, once every sender has sent more bytes. */
const SOONEST_MS = 0;
const LATEST_MS = 3_000;

export interface TusProof extends TusTally {
  seed: number;
  kills: number;
}

export interface TusOptions {
  seed: number;
  kills: number;
  /** The number of senders that work at the same time. */
  lanes: number;
  /** The size of the largest file. */
  maxBytes: number;
  log: (line: string) => void;
}

/** The part `tus` of the soak. */
export async function tus({ seed, count }: SoakOptions): Promise<boolean> {
  const kills = Number(count ?? "200");
  const result = await proveTus({ seed: Number(seed), kills, lanes: 4, maxBytes: 40 * MIB, log: console.log });
  const text =
    "tus-js-client sends files over lines that are cut or left half open at random bytes, while the whole local " +
    "runtime is killed (SIGKILL). Half of the uploads have a checksum with each request. What a request has been " +
    "told is stored must be stored after any break, no upload may have to begin anew, and each file is downloaded " +
    "and compared by SHA-256.";
  await report("tus", text, [
    ["seed", result.seed],
    ["kills", result.kills],
    ["lines cut or left half open", result.cuts],
    ["offsets compared after a break", result.offsets],
    ["requests with a checksum", result.checksums],
    ["uploads finished and compared", result.finished],
    ["total size", formatBytes(result.finishedBytes)],
    ["losses and other problems", result.problems.length],
  ]);
  for (const problem of result.problems) console.log(problem);
  return result.problems.length === 0;
}

/** Sends files with tus while lines are cut and the runtime is killed. Every file has to arrive unchanged. */
export function proveTus({ seed, kills, lanes: laneCount, maxBytes, log }: TusOptions): Promise<TusProof> {
  return onServer(log, async (server) => {
    const account = await createAccount(server);
    const { key } = await account.post<{ key: string }>("/api/keys", { name: "soak", scopes: ["upload"] });
    const client = new Client(server.origin, account);
    const result: TusProof = {
      seed,
      kills: 0,
      cuts: 0,
      offsets: 0,
      checksums: 0,
      finished: 0,
      finishedBytes: 0,
      problems: [],
    };
    const numbers = Array.from({ length: laneCount }, (_, number) => number);
    const lanes = numbers.map((number) => new TusLane(server.origin, key, `${seed}-tus-${number}`, maxBytes, result));
    let isOver = false;
    const working = Promise.all(lanes.map((lane) => lane.work(() => isOver)));
    const moments = new Seeded(`${seed}-tus-kills`);
    while (result.kills < kills) {
      const moment = moments.between(SOONEST_MS, LATEST_MS);
      await Promise.race([Promise.all([wait(moment), ...lanes.map((lane) => lane.progress())]), working]);
      await server.kill();
      await server.start();
      result.kills += 1;
      isOver = result.kills === kills;
      for (const lane of lanes) await lane.compareSent(client);
      const { cuts, finished, problems } = result;
      log(`kill ${result.kills}/${kills}; cuts: ${cuts}; finished: ${finished}; problems: ${problems.length}`);
    }
    await working;
    for (const lane of lanes) await lane.compareSent(client);
    return result;
  });
}
