import { formatBytes, MIB } from "#domain/units.ts";
import type { Bench } from "./support/bench.ts";
import { openBarePage, openHome, putFromBarePage, uploadAsPerson } from "./support/browser.ts";
import { inTurns, together, type Row, type Way } from "./support/measure.ts";
import { randomFile, type RandomFile } from "./support/random-file.ts";

const SHAPES = [
  { count: 1, sizeBytes: 512 * MIB },
  { count: 8, sizeBytes: 64 * MIB },
];

/**
 * Uploads at the same time: people with our own page in a real browser, beside the bare store. Bare pages, which PUT
 * the same parts without the product, tell what of the difference is the browser's.
 */
export async function measureUploads(bench: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { count, sizeBytes } of SHAPES) {
    const file = await randomFile(bench.server.folder, sizeBytes);
    const { floor, whole, bare } = await inTurns({
      floor: together(count, () => toStore(bench, file)),
      whole: together(count, () => fromOwnPage(bench, file)),
      bare: together(count, () => fromBarePage(bench, file)),
    });
    const shared = { sizeBytes: count * sizeBytes, floorMs: floor };
    const what = `up, ${count} x ${formatBytes(sizeBytes)}`;
    rows.push({ what, wholeMs: whole, ...shared }, { what: `${what}, a bare page`, wholeMs: bare, ...shared });
  }
  return rows;
}

function toStore({ store }: Bench, { bytes }: RandomFile): ReturnType<Way> {
  const key = `bench/${crypto.randomUUID()}`;
  return Promise.resolve({ run: () => store.upload(key, bytes), clear: () => store.delete(key) });
}

async function fromOwnPage({ browser, server, account, store }: Bench, file: RandomFile): ReturnType<Way> {
  const page = await openHome(browser, server, account);
  let key = "";
  return {
    run: async () => {
      key = `files/${(await uploadAsPerson(page, file)).uploadId}`;
    },
    clear: async () => {
      await page.context().close();
      await store.delete(key);
    },
  };
}

async function fromBarePage({ browser, server, store }: Bench, file: RandomFile): ReturnType<Way> {
  const page = await openBarePage(browser, server, file);
  const key = `bench/${crypto.randomUUID()}`;
  return {
    run: async () => {
      const uploadId = await store.create(key);
      const etags = await putFromBarePage(page, await store.partUrls(key, uploadId, file.sizeBytes));
      await store.complete(key, uploadId, etags);
    },
    clear: async () => {
      await page.context().close();
      await store.delete(key);
    },
  };
}
