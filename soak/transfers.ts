import { setTimeout as wait } from "node:timers/promises";
import { MINUTE_MS, SECOND_MS } from "#domain/units.ts";
import { createAccount } from "../bench/support/account.ts";
import { Store } from "../bench/support/store.ts";
import type { LocalServer } from "../scripts/local-server.ts";
import { Client } from "./client.ts";
import { onServer } from "./on-server.ts";
import { Seeded } from "./seeded.ts";
import { LossError } from "./soaked-upload.ts";
import { NOTHING_YET, SoakedTransfer, type TransferCounts } from "./transfers/soaked-transfer.ts";

const LANES = 3;
/** The longest time from the last counted answer to the kill, so that the kill interrupts something. */
const LATEST_MS = 300;
const MAX_PROBLEMS = 20;
/** Alarms must have ended all interrupted clean-ups within this time. */
const CLEAN_AFTER_MS = 10 * MINUTE_MS;
const CRON_PAUSE_MS = 5 * SECOND_MS;

export interface TransfersProof extends TransferCounts {
  seed: number;
  kills: number;
  interruptedRequests: number;
  /** The number of finished transfers that expired at the end: half of those that were kept. */
  expired: number;
  /** The number of kept transfers that did not expire, and were compared once more. */
  kept: number;
  problems: string[];
}

export interface TransfersOptions {
  seed: number;
  transfers: number;
  filesPerTransfer: number;
  /** How many calls are answered between a restart and the next kill, at least and at most. */
  answersBeforeKill: [min: number, max: number];
  log: (line: string) => void;
}

/**
 * Sends transfers while the whole local runtime is killed repeatedly, and while devices stop and other devices
 * continue. Every ZIP must hold the files that were sent. At the end storage holds the kept transfers and nothing else.
 */
export function proveTransfers(options: TransfersOptions): Promise<TransfersProof> {
  const { seed, transfers, filesPerTransfer, log } = options;
  return onServer(log, async (server) => {
    const client = new Client(server.origin, await createAccount(server));
    const result: TransfersProof = {
      seed,
      kills: 0,
      interruptedRequests: 0,
      expired: 0,
      kept: 0,
      problems: [],
      ...NOTHING_YET,
    };
    const all = Array.from({ length: transfers }, (_, index) => `${seed}-${index}`).values();
    const next = () => {
      const { value } = all.next();
      return value === undefined ? null : new SoakedTransfer(client, value, filesPerTransfer, server.folder, result);
    };
    const lanes = Array.from({ length: LANES }, () => new TransferLane(next, result.problems));
    await sendUnderKills(server, client, lanes, result, options);
    const kept = lanes.flatMap((lane) => lane.kept);
    // After a problem, the check of the end would wait for objects that nobody deletes.
    if (result.problems.length === 0) await checkTheEnd(server, kept, result);
    return result;
  });
}

async function sendUnderKills(
  server: LocalServer,
  client: Client,
  lanes: TransferLane[],
  result: TransfersProof,
  { answersBeforeKill, log }: TransfersOptions,
): Promise<void> {
  const moments = new Seeded(`${result.seed}-kills`);
  for (;;) {
    const goal = client.answered + moments.between(...answersBeforeKill);
    const delayMs = moments.between(0, LATEST_MS);
    let isKilled = false;
    const working = Promise.all(lanes.map((lane) => lane.work(() => isKilled)));
    const isRipe = () => client.answered >= goal && lanes.some((lane) => lane.hasAcknowledged);
    const ripe = client.until(isRipe).then(() => wait(delayMs, false));
    if (await Promise.race([ripe, working.then(() => true)])) return;
    isKilled = true;
    result.interruptedRequests += client.inFlight;
    await Promise.all([server.kill(), working]);
    await server.start();
    result.kills += 1;
    for (const lane of lanes) await lane.check();
    const { kills, finished, checked, stoppedDevices, problems } = result;
    log(
      `kill ${kills}: ${finished} transfers compared, ${stoppedDevices} devices stopped, ` +
        `${checked} acknowledgements checked, ${problems.length} problems`,
    );
  }
}

/** Sends transfers, one after the other. */
class TransferLane {
  readonly kept: SoakedTransfer[] = [];
  readonly #next: () => SoakedTransfer | null;
  readonly #problems: string[];
  #transfer: SoakedTransfer | null;

  /** @param next gives the next transfer; null when no transfer is left */
  constructor(next: () => SoakedTransfer | null, problems: string[]) {
    this.#next = next;
    this.#problems = problems;
    this.#transfer = next();
  }

  get hasAcknowledged(): boolean {
    return this.#transfer?.hasAcknowledged ?? false;
  }

  /** Sends transfers until the server is killed. Failures before the kill are problems, interrupted calls are not. */
  async work(isKilled: () => boolean): Promise<void> {
    for (let transfer = this.#transfer; transfer && !isKilled(); transfer = this.#transfer) {
      try {
        await transfer.live();
        if (transfer.isKept) this.kept.push(transfer);
        this.#transfer = this.#next();
      } catch (error) {
        if (error instanceof LossError || !isKilled()) this.#recordProblem(transfer, error);
      }
    }
  }

  async check(): Promise<void> {
    try {
      await this.#transfer?.check();
    } catch (error) {
      if (this.#transfer) this.#recordProblem(this.#transfer, error);
    }
  }

  #recordProblem({ name }: SoakedTransfer, error: unknown): void {
    const problem = `${name}: ${String(error)}`;
    this.#problems.push(problem);
    console.error(problem);
    if (this.#problems.length > MAX_PROBLEMS) throw new Error(this.#problems.join("\n"));
    this.#transfer = this.#next();
  }
}

/** Lets half of the kept transfers expire, runs the cron, and compares storage, rows and the month's totals. */
async function checkTheEnd(server: LocalServer, kept: SoakedTransfer[], result: TransfersProof): Promise<void> {
  const idOf = ({ finished }: SoakedTransfer) => finished?.id ?? "";
  const expiring = kept.splice(0, Math.floor(kept.length / 2));
  const ids = expiring.map((transfer) => `'${idOf(transfer)}'`).join();
  if (ids !== "") await server.execute(`update files set expires_at = 1 where id in (${ids})`);
  const keptIds = new Set(kept.map(idOf));
  const leftovers = await awaitCleanStorage(server, keptIds);
  result.problems.push(...leftovers.map((key) => `${key} is stored, and no link serves it`));
  const stored = new Set((await new Store(server.origin).list()).map(transferOf));
  result.problems.push(...[...keptIds].filter((id) => !stored.has(id)).map((id) => `${id} is kept, and not stored`));
  for (const transfer of kept) {
    await transfer.compare().catch((error: unknown) => result.problems.push(String(error)));
  }
  result.expired = expiring.length;
  result.kept = kept.length;
  result.problems.push(...(await wrongTotals(server)));
}

/** Runs the cron until storage holds only kept transfers. @returns the keys and rows that are left at the deadline */
async function awaitCleanStorage(server: LocalServer, keptIds: ReadonlySet<string>): Promise<string[]> {
  const store = new Store(server.origin);
  const deadline = Date.now() + CLEAN_AFTER_MS;
  for (;;) {
    await server.runCron();
    const leftovers = (await store.list()).filter((key) => !keptIds.has(transferOf(key)));
    leftovers.push(...(await leftRows(server)));
    if (leftovers.length === 0 || Date.now() > deadline) return leftovers;
    await wait(CRON_PAUSE_MS);
  }
}

/** @param key the key of an object, such as files/<id>/00000 */
function transferOf(key: string): string {
  return key.split("/")[1] ?? "";
}

/** Rows of ended transfers that the cron has still to delete or to settle. */
async function leftRows(server: LocalServer): Promise<string[]> {
  const rows = await server.execute<{ what: string }>(
    `select 'files/' || id as what from files where status = 'uploading'
       or (status = 'ready' and (deleted_at is not null or expires_at < 2) and s3_deleted_at is null)
     union all select 'wipe of ' || s3_key from entry_wipes
     union all select 'list of ' || file_id from transfer_pages where file_id not in
       (select id from files where status = 'ready' and s3_deleted_at is null)`,
  );
  return rows.map(({ what }) => what);
}

/** Checks that the month's totals are the sum of the rows. */
async function wrongTotals(server: LocalServer): Promise<string[]> {
  const [totals] = await server.execute<Record<"bytes" | "transfers" | "rowBytes" | "rowTransfers", number>>(
    `select monthly_upload_total as bytes, monthly_transfer_count as transfers,
       (select coalesce(sum(size), 0) from files where user_id = users.id and status = 'ready') as rowBytes,
       (select count(*) from files where user_id = users.id and status = 'ready') as rowTransfers from users
     where email = 'bench@example.com'`,
  );
  if (totals && totals.bytes === totals.rowBytes && totals.transfers === totals.rowTransfers) return [];
  return [`the month's totals are not those of the rows: ${JSON.stringify(totals)}`];
}
