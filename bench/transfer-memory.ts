import { setTimeout as wait } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { PART_CONTENT_TYPE } from "#domain/parts.ts";
import { MAX_ENTRIES, MAX_ENTRIES_PER_BATCH, MAX_PATHS_BYTES } from "#domain/transfers/limits.ts";
import { KIB, MIB, SECOND_MS } from "#domain/units.ts";
import type { StartTransferAnswer, TransferBatchAnswer, CompletedObjectPart } from "#domain/wire.ts";
import type { Account } from "./support/account.ts";
import type { Bench } from "./support/bench.ts";
import { put } from "./support/http.ts";
import type { Count } from "./support/measure.ts";
import { Profiler } from "./support/profiler.ts";

/** The size of a file, with which a batch of files is a pack of nearly 8 MiB. */
const FILE_BYTES = 16 * KIB;
/** The longest path that all 10,000 entries may have. */
const PATH_BYTES = Math.floor(MAX_PATHS_BYTES / MAX_ENTRIES);
const BATCHES = MAX_ENTRIES / MAX_ENTRIES_PER_BATCH;
/** The debugger answers only a few times while packs are read, so a single round may miss the largest value. */
const ROUNDS = 3;
/** The runtime drops an object from memory after ten seconds without a call. */
const UNTIL_DROPPED_MS = 15 * SECOND_MS;
const BUDGET_MIB = 48;

/**
 * Measures what a transfer's Durable Object adds to the live memory of the isolate: V8's heap and the buffers outside
 * the heap. The table shows the budget in the floor's column.
 */
export async function measureTransferMemory({ account, server }: Bench): Promise<Count[]> {
  const profiler = await Profiler.connect(server.debuggerUrl);
  const liveMiB = async () => {
    const bytes = await profiler.liveBytes(async () => {
      await (await fetch(`${server.origin}/api/auth/me`)).text();
    });
    return bytes / MIB;
  };
  try {
    // The first transfer loads what all transfers share.
    await (await sendWithoutReceipts(account, 1)).finish();
    let listed = 0;
    let most = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      await wait(UNTIL_DROPPED_MS);
      const before = await liveMiB();
      const { finish } = await sendWithoutReceipts(account, BATCHES);
      listed = Math.max(listed, (await liveMiB()) - before);
      let isFinished = false;
      const finished = finish().finally(() => {
        isFinished = true;
      });
      const watch = async () => {
        while (!isFinished) most = Math.max(most, (await liveMiB()) - before);
      };
      await Promise.all([finished, watch()]);
    }
    const what = `memory of a transfer's object with ${MAX_ENTRIES} entries`;
    return [
      { what, unit: "MiB", product: listed, floor: null },
      { what: `${what}, while it reads packs back (limit)`, unit: "MiB", product: most, floor: BUDGET_MIB },
    ];
  } finally {
    profiler.close();
    await server.execute("delete from files");
  }
}

/** Announces and sends a transfer. Only `finish` sends the receipts, so that all packs are read back in it. */
async function sendWithoutReceipts(account: Account, batches: number): Promise<{ finish(): Promise<unknown> }> {
  const entries = batches * MAX_ENTRIES_PER_BATCH;
  const totals = { entries, bytes: entries * FILE_BYTES };
  const { downloadId } = await account.post<StartTransferAnswer>("/api/transfers", { expiration: "1d", totals });
  const bytes = new Uint8Array(MAX_ENTRIES_PER_BATCH * FILE_BYTES);
  const sum = crc32(bytes).toString(16).padStart(8, "0");
  const receipts: CompletedObjectPart[] = [];
  for (let object = 0; object < batches; object += 1) {
    const from = object * MAX_ENTRIES_PER_BATCH;
    const list = Array.from({ length: MAX_ENTRIES_PER_BATCH }, (_, index) => [pathOf(from + index), FILE_BYTES, 0]);
    const batch = { entries: { from, list }, open: [{ object, runs: [[from, MAX_ENTRIES_PER_BATCH]] }] };
    const { urls } = await account.post<TransferBatchAnswer>(`/api/transfers/${downloadId}/batch`, batch);
    for (const { url, part } of urls) {
      receipts.push({ object, part, etag: await put(url, bytes, PART_CONTENT_TYPE), crc32: sum });
    }
  }
  return { finish: () => account.post(`/api/transfers/${downloadId}/finish`, { receipts }) };
}

function pathOf(n: number): string {
  return `${"folder/".repeat(8)}${n}-`.padEnd(PATH_BYTES, "x");
}
