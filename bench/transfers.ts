import { randomBytes } from "node:crypto";
import { formatBytes, KIB, MIB } from "#domain/units.ts";
import { encodePage, decodePlaces, ENTRIES_PER_PAGE, type Entry } from "#domain/transfers/pages.ts";
import { layOutZip } from "#domain/zip.ts";
import { ZipReader } from "@zip.js/zip.js";
import { measureTransferCpu } from "./transfer-cpu.ts";
import { measureTransferMemory } from "./transfer-memory.ts";
import type { Bench } from "./support/bench.ts";
import { discard, put } from "./support/http.ts";
import { proveInTest } from "./support/in-test.ts";
import { inParallel, measureInTurns, withoutSetup, type Count, type Row, type Setup } from "./support/measure.ts";
import { RangeReader } from "./support/range-reader.ts";
import { objectsOf, uploadTransferByScript, type ScriptFile } from "./support/transfer-script.ts";

const AT_ONCE = 8;
const PACKS_AT_ONCE = 4;
/** The calls of a transfer whose packs fit into a start and a batch. */
const CALLS_PER_TRANSFER = 3;
const AFAR_BUDGET_MBS = 40;
const MOST_RANGES = 6;
const LAYOUT_ENTRIES = 10_000;
const LAYOUT_BUDGET_MS = 15;

/** Compares many small files behind one link with PUTs of the same bytes, and their ZIP with its objects. */
export async function measureTransfers(bench: Bench): Promise<(Row | Count)[]> {
  return [
    ...(await smallFiles(bench, 500, 100 * KIB)),
    ...(await smallFiles(bench, 10_000, 10 * KIB)),
    await zipOfLargeFiles(bench),
    zipFromAfar(),
    await oneFileOfZip(bench),
    await layout(),
    ...(await measureTransferCpu(bench)),
    ...(await measureTransferMemory(bench)),
  ];
}

async function smallFiles({ account, server, store }: Bench, count: number, sizeBytes: number): Promise<Row[]> {
  const files = filesOf(count, sizeBytes);
  const packs = objectsOf(files);
  const nothing = async () => {
    await (await fetch(`${server.origin}/api/auth/me`)).text();
  };
  const product = withoutSetup(async () => {
    await uploadTransferByScript(account, files);
  });
  const barePacks = withoutSetup(async () => {
    for (let call = 0; call < CALLS_PER_TRANSFER; call += 1) await nothing();
    await eachOf(packs, PACKS_AT_ONCE, async ({ bytes }) => {
      await put(await store.putUrl(`bench/${crypto.randomUUID()}`), bytes);
    });
  });
  const what = `up, ${count} x ${formatBytes(sizeBytes)} behind one link`;
  const common = { sizeBytes: count * sizeBytes };
  const beside = await measureInTurns({ barePacks, product });
  const rows: Row[] = [
    { ...common, what: `${what}, beside the same packs`, productMs: beside.product, floorMs: beside.barePacks },
  ];
  // Sending 10,000 files one by one would take minutes and show the same.
  if (count <= 500) {
    const bareFiles = withoutSetup(async () => {
      await eachOf(files, AT_ONCE, async ({ bytes }) => {
        await nothing();
        await put(await store.putUrl(`bench/${crypto.randomUUID()}`), bytes);
        await nothing();
      });
    });
    const { floor, product: again } = await measureInTurns({ floor: bareFiles, product });
    rows.push({ ...common, what: `${what}, beside a PUT and two calls each`, productMs: again, floorMs: floor });
  }
  await server.execute("delete from files");
  return rows;
}

/** Reads a ZIP of four files of 64 MiB, compared with reading the objects of these files. */
async function zipOfLargeFiles({ account, server, store }: Bench): Promise<Row> {
  const files = filesOf(4, 64 * MIB);
  const { id, downloadUrl, zipSize } = await uploadTransferByScript(account, files);
  const { floor, product } = await measureInTurns({
    floor: withoutSetup(async () => {
      for (const object of files.keys()) await store.download(`files/${id}/${String(object).padStart(5, "0")}`);
    }),
    product: withoutSetup(async () => {
      const received = await discard(downloadUrl);
      if (received !== zipSize) throw new Error(`${received} bytes of ${zipSize} came`);
    }),
  });
  await server.execute("delete from files");
  return { what: "down, a ZIP of 4 x 64 MB", sizeBytes: zipSize, productMs: product, floorMs: floor };
}

/** Reads a ZIP of small files, with 40 ms between the Worker and storage. The budget is in the floor's column. */
function zipFromAfar(): Count {
  const proof = { file: "test/worker/zip-from-afar.test.ts", title: "a ZIP of 500 files" };
  const { lines } = proveInTest(proof, { AFAR_FILE_BYTES: String(100 * KIB) });
  const megabytes = lines.flatMap((line) => /measured zip: (\d+) MB\/s/.exec(line)?.[1] ?? []);
  const what = `down, a ZIP of 500 x 100 KB, storage 40 ms away (floor: budget)`;
  return { what, unit: "MB/s", product: Number(megabytes[0] ?? NaN), floor: AFAR_BUDGET_MBS };
}

/** Reads one file out of a ZIP of 108 MB, as a program does that seeks. The budget is in the floor's column. */
async function oneFileOfZip({ account, server }: Bench): Promise<Count> {
  const files = filesOf(1_080, 100 * KIB);
  const { downloadUrl, zipSize } = await uploadTransferByScript(account, files);
  const reader = new RangeReader(downloadUrl, zipSize);
  const zip = new ZipReader(reader, { strictness: "strict", checkCrc32: true, useWebWorkers: false });
  const entry = (await zip.getEntries()).find(({ filename }) => filename === files[700]?.path);
  if (!entry || entry.directory) throw new Error("the file is not in the ZIP");
  const { byteLength } = await entry.arrayBuffer();
  if (byteLength !== 100 * KIB) throw new Error(`${byteLength} bytes came`);
  await zip.close();
  await server.execute("delete from files");
  const what = `one file out of a ZIP of ${formatBytes(zipSize)}, by ranges: ${formatBytes(reader.receivedBytes)} (limit)`;
  return { what, unit: "requests", product: reader.requests, floor: MOST_RANGES };
}

/** Parses 10,000 entries from their pages and lays out their ZIP. The budget is in the floor's column. */
async function layout(): Promise<Row> {
  const entries = Array.from({ length: LAYOUT_ENTRIES }, (_, n): Entry => ({
    path: `Holiday 2026/day ${Math.floor(n / 100)}/photo-${n}.jpg`,
    sizeBytes: 100 * KIB + n,
    modifiedMs: Date.UTC(2026, 6, 1) + n * 60_000,
    type: "image/jpeg",
    object: Math.floor(n / 80),
    offset: (n % 80) * 100 * KIB,
    crc32: (n * 2_654_435_761) % 2 ** 32,
    sha256: "ab".repeat(32),
    crcSource: "server",
    removedAt: null,
  }));
  const pages = Array.from({ length: LAYOUT_ENTRIES / ENTRIES_PER_PAGE }, (_, page) =>
    encodePage(entries.slice(page * ENTRIES_PER_PAGE, (page + 1) * ENTRIES_PER_PAGE)),
  );
  const { product } = await measureInTurns(
    {
      product: withoutSetup(async () => {
        await layOutZip(pages.flatMap((page) => decodePlaces(page)));
      }),
    },
    9,
  );
  return { what: "layout of 10,000 entries, beside its budget", productMs: product, floorMs: LAYOUT_BUDGET_MS };
}

function filesOf(count: number, sizeBytes: number): ScriptFile[] {
  const bytes = randomBytes(sizeBytes);
  return Array.from({ length: count }, (_, n) => ({ path: `files/${Math.floor(n / 100)}/${n}.bin`, bytes }));
}

async function eachOf<Item>(items: Item[], atOnce: number, work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const worker: Setup = withoutSetup(async () => {
    for (const item of waiting) await work(item);
  });
  await (await inParallel(atOnce, worker)()).run();
}
