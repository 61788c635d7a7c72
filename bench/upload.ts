import { link, rm } from "node:fs/promises";
import type { Page } from "playwright-core";
import { formatBytes, GIB, MIB } from "#domain/units.ts";
import type { Bench } from "./support/bench.ts";
import { hashInBarePage, openBarePage, openHome, prepareUpload, putFromBarePage } from "./support/browser.ts";
import { measureInTurns, inParallel, type Count, type Row, type Setup } from "./support/measure.ts";
import { maxRequests, WorkerRequests } from "./support/requests.ts";
import { randomFile, type RandomFile } from "./support/random-file.ts";

const SHAPES = [
  { count: 1, sizeBytes: GIB },
  { count: 8, sizeBytes: 100 * MIB },
];
const SMALL_BYTES = MIB;

/**
 * Sends parallel uploads with the real page in Chromium, compared with plain storage. Bare pages that PUT the same
 * parts show which share of the time the browser and the hash take. An upload with too many requests to the Worker is
 * an error.
 */
export async function measureUploads(bench: Bench): Promise<(Row | Count)[]> {
  const rows: (Row | Count)[] = [await requestsOfSmall(bench)];
  for (const { count, sizeBytes } of SHAPES) {
    const file = await randomFile(bench.server.folder, sizeBytes);
    const requests: number[] = [];
    const { floor, product, bare, hashing } = await measureInTurns({
      floor: inParallel(count, () => toStore(bench, file)),
      product: inParallel(count, () => fromOwnPage(bench, file, requests)),
      bare: inParallel(count, () => fromBarePage(bench, file)),
      hashing: inParallel(count, () => fromBarePage(bench, file, hashInBarePage)),
    });
    const sizes = { sizeBytes: count * sizeBytes };
    const what = `up, ${count} x ${formatBytes(sizeBytes)}`;
    rows.push(
      { what, productMs: product, floorMs: floor, ...sizes },
      { what: `${what}, floor is a bare page that hashes`, productMs: product, floorMs: hashing, ...sizes },
      { what: `${what}, a bare page that hashes`, productMs: hashing, floorMs: floor, ...sizes },
      { what: `${what}, a bare page`, productMs: bare, floorMs: floor, ...sizes },
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
  const what = `requests for a file of ${formatBytes(sizeBytes)} (limit)`;
  return { what, unit: "requests", product: Math.max(...requests), floor: maxRequests(sizeBytes) };
}

function toStore({ store }: Bench, { bytes }: RandomFile): ReturnType<Setup> {
  const key = `bench/${crypto.randomUUID()}`;
  return Promise.resolve({ run: () => store.upload(key, bytes), clear: () => store.delete(key) });
}

/** An upload with the page. @param requests receives the number of requests to the Worker */
export async function fromOwnPage(
  { browser, server, account, store }: Bench,
  file: RandomFile,
  requests: number[],
): ReturnType<Setup> {
  const page = await openHome(browser, server, account);
  const workerRequests = new WorkerRequests(page, server.origin);
  // Each file gets a new name, because with the same name parallel uploads would resume each other.
  const path = `${server.folder}/${crypto.randomUUID()}.bin`;
  await link(file.path, path);
  const upload = await prepareUpload(page, { ...file, path });
  let key = "";
  return {
    run: async () => {
      key = `files/${(await upload()).uploadId}`;
    },
    clear: async () => {
      requests.push(workerRequests.check(file.sizeBytes));
      await page.context().close();
      await rm(path);
      await store.delete(key);
    },
  };
}

/** @param besides work that the page does in parallel */
async function fromBarePage(
  { browser, server, store }: Bench,
  file: RandomFile,
  besides: (page: Page) => Promise<unknown> = () => Promise.resolve(),
): ReturnType<Setup> {
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
