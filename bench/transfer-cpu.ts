import { randomBytes } from "node:crypto";
import { KIB } from "#domain/units.ts";
import { MAX_ENTRIES_PER_BATCH } from "#domain/transfers/limits.ts";
import type { AnnouncedEntry, StartTransferAnswer } from "#domain/wire.ts";
import { measureOperations, type Call, type Operation } from "./support/operations.ts";
import type { Bench } from "./support/bench.ts";
import type { Row } from "./support/measure.ts";
import { uploadTransferByScript } from "./support/transfer-script.ts";

const FILES_OF_A_TRANSFER = 10_000;
const BATCHES_OF_A_TRANSFER = FILES_OF_A_TRANSFER / MAX_ENTRIES_PER_BATCH;
const FILE_BYTES = 100 * KIB;
/** The number of files that fill a pack of 8 MiB. */
const FILES_OF_A_PACK = 81;
const PACKS_AT_START = 6;
const RANGE = { range: "bytes=1000000-1000999" };

/** The CPU time of a transfer's calls. The table shows budgets in the floor's column. */
export function measureTransferCpu(bench: Bench): Promise<Row[]> {
  const operations: Operation[] = [
    { what: "a batch of 500 entries", budgetMs: 10, prepare: (count) => batches(bench, count) },
    { what: "a start with 500 entries and 6 packs", budgetMs: 8, prepare: (count) => starts(bench, count) },
    { what: "a range of a cached ZIP", budgetMs: 4, prepare: (count) => ranges(bench, count) },
  ];
  return measureOperations(bench, operations);
}

/** Each batch announces entries that are new. */
async function batches({ account }: Bench, count: number): Promise<Call[]> {
  const calls: Call[] = [];
  while (calls.length < count) {
    const totals = { entries: FILES_OF_A_TRANSFER, bytes: FILES_OF_A_TRANSFER * FILE_BYTES };
    const started = await account.post<StartTransferAnswer>("/api/transfers", { expiration: "1d", totals });
    for (let batch = 0; batch < BATCHES_OF_A_TRANSFER && calls.length < count; batch += 1) {
      const entries = entriesFrom(batch * MAX_ENTRIES_PER_BATCH);
      calls.push(() => account.post(`/api/transfers/${started.downloadId}/batch`, { entries }));
    }
  }
  return calls;
}

function starts({ account }: Bench, count: number): Promise<Call[]> {
  const open = Array.from({ length: PACKS_AT_START }, (_, object) => ({
    object,
    runs: [[object * FILES_OF_A_PACK, FILES_OF_A_PACK]],
  }));
  const totals = { entries: MAX_ENTRIES_PER_BATCH, bytes: MAX_ENTRIES_PER_BATCH * FILE_BYTES };
  const request = { expiration: "1d", totals, entries: entriesFrom(0), open };
  return Promise.resolve(Array.from({ length: count }, () => () => account.post("/api/transfers", request)));
}

/** Ranges of ZIPs. The first calls fill the cache of lists. */
async function ranges({ account }: Bench, count: number): Promise<Call[]> {
  const bytes = randomBytes(KIB);
  const files = Array.from({ length: FILES_OF_A_TRANSFER }, (_, n) => ({ path: pathOf(n), bytes }));
  const { downloadUrl } = await uploadTransferByScript(account, files);
  return Array.from({ length: count }, () => async () => {
    const response = await fetch(downloadUrl, { headers: RANGE });
    if (response.status !== 206) throw new Error(`a range answered ${response.status}`);
    await response.arrayBuffer();
  });
}

function entriesFrom(from: number): { from: number; list: AnnouncedEntry[] } {
  const numbers = Array.from({ length: MAX_ENTRIES_PER_BATCH }, (_, index) => from + index);
  return { from, list: numbers.map((n) => [pathOf(n), FILE_BYTES, Date.UTC(2026, 6, 1)]) };
}

function pathOf(n: number): string {
  return `Holiday 2026/day ${Math.floor(n / 100)}/photo-${n}.jpg`;
}
