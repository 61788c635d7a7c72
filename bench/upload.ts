import { link, rm } from "node:fs/promises";
import type { Page } from "playwright-core";
import { formatBytes, GIB, MIB } from "#domain/units.ts";
import type { Bench } from "./support/bench.ts";
import { hashInBarePage, openBarePage, openHome, prepareUpload, putFromBarePage } from "./support/browser.ts";
import { inTurns, together, type Count, type Row, type Way } from "./support/measure.ts";
import { mostRequests, WorkerRequests } from "./support/requests.ts";
import { randomFile, type RandomFile } from "./support/random-file.ts";

const SHAPES = [
  { count: 1, sizeBytes: GIB },
  { count: 8, sizeBytes: 100 * MIB },
];
const SMALL_BYTES = MIB;

/**
 * Uploads at the same time: people with our own page in a real browser, beside the bare store. Bare pages, which PUT
 * the same parts without the product, tell what of the difference is the browser's, and what is the hash's, which every
 * file has to have. Each upload's requests are counted,
 * and more than there may be are an error.
 */
export async function measureUploads(bench: Bench): Promise<(Row | Count)[]> {
  const rows: (Row | Count)[] = [await requestsOfSmall(bench)];
  for (const { count, sizeBytes } of SHAPES) {
    const file = await randomFile(bench.server.folder, sizeBytes);
    const requests: number[] = [];
    const { floor, whole, bare, hashing } = await inTurns({
      floor: together(count, () => toStore(bench, file)),
      whole: together(count, () => fromOwnPage(bench, file, requests)),
      bare: together(count, () => fromBarePage(bench, file)),
      hashing: together(count, () => fromBarePage(bench, file, hashInBarePage)),
    });
    const sizes = { sizeBytes: count * sizeBytes };
    const what = `up, ${count} x ${formatBytes(sizeBytes)}`;
    rows.push(
      { what, wholeMs: whole, floorMs: floor, ...sizes },
      { what: `${what}, beside a bare page that hashes`, wholeMs: whole, floorMs: hashing, ...sizes },
      { what: `${what}, a bare page that hashes`, wholeMs: hashing, floorMs: floor, ...sizes },
      { what: `${what}, a bare page`, wholeMs: bare, floorMs: floor, ...sizes },
    );
    rows.push(requestsRow(sizeBytes, requests));
  }
  return rows;
}

async function requestsOfSmall(bench: Bench): Promise<Count> {
  const requests: number[] = [];
  const { run, clear } = await fromOwnPage(bench, await randomFile(bench.server.folder, SMALL_BYTES), requests);
  await run();
  await clear();
  return requestsRow(SMALL_BYTES, requests);
}

function requestsRow(sizeBytes: number, requests: number[]): Count {
  const what = `requests for a file of ${formatBytes(sizeBytes)} (at most)`;
  return { what, unit: "requests", whole: Math.max(...requests), floor: mostRequests(sizeBytes) };
}

function toStore({ store }: Bench, { bytes }: RandomFile): ReturnType<Way> {
  const key = `bench/${crypto.randomUUID()}`;
  return Promise.resolve({ run: () => store.upload(key, bytes), clear: () => store.delete(key) });
}

/** @param requests takes how many the upload made of the Worker */
async function fromOwnPage(
  { browser, server, account, store }: Bench,
  file: RandomFile,
  requests: number[],
): ReturnType<Way> {
  const page = await openHome(browser, server, account);
  const asked = new WorkerRequests(page, server.origin);
  // Under one name, uploads at the same time would be one upload that goes on in another tab.
  const path = `${server.folder}/${crypto.randomUUID()}.bin`;
  await link(file.path, path);
  const upload = await prepareUpload(page, { ...file, path });
  let key = "";
  return {
    run: async () => {
      key = `files/${(await upload()).uploadId}`;
    },
    clear: async () => {
      requests.push(asked.check(file.sizeBytes));
      await page.context().close();
      await rm(path);
      await store.delete(key);
    },
  };
}

/** @param besides what the page does meanwhile */
async function fromBarePage(
  { browser, server, store }: Bench,
  file: RandomFile,
  besides: (page: Page) => Promise<unknown> = () => Promise.resolve(),
): ReturnType<Way> {
  const page = await openBarePage(browser, server, file);
  const key = `bench/${crypto.randomUUID()}`;
  return {
    run: async () => {
      const uploadId = await store.create(key);
      const urls = await store.partUrls(key, uploadId, file.sizeBytes);
      const [etags] = await Promise.all([putFromBarePage(page, urls), besides(page)]);
      await store.complete(key, uploadId, etags);
    },
    clear: async () => {
      await page.context().close();
      await store.delete(key);
    },
  };
}
