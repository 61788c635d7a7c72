import { link } from "node:fs/promises";
import { fromBase64url, toBase64url } from "#domain/bytes-as-text.ts";
import { readFragment } from "#domain/seal/fragment.ts";
import { deriveLinkKeys, unwrapSecret, type Bytes } from "#domain/seal/keys.ts";
import { deriveStreamKeys, openRecords } from "#domain/seal/records.ts";
import { RECORD_BYTES, recordCount } from "#domain/seal/sizes.ts";
import { formatBytes, MIB } from "#domain/units.ts";
import type { UnlockSealedAnswer } from "#domain/wire.ts";
import type { Bench } from "./support/bench.ts";
import { openHome, openPage, prepareUpload } from "./support/browser.ts";
import { measureInTurns, median, type Row, type Setup } from "./support/measure.ts";
import { randomFile, type RandomFile } from "./support/random-file.ts";
import { encryptUpload, prepareOpening, shownLink } from "./support/sealed-page.ts";

/** Another size, in MB, comes from the environment, for a machine that is slow. */
const SIZE_BYTES = Number(process.env.BENCH_SEALED_MB ?? "512") * MIB;
const SEEKS = 50;
const UNLOCKS = 50;
/** The limit of a seek, which the table shows in the floor's column. */
const SEEK_BUDGET_MS = 150;

/** The cost of end-to-end encryption: sends and fetches the same file through our pages, sealed beside plain. */
export async function measureSealed(bench: Bench): Promise<Row[]> {
  const file = await randomFile(bench.server.folder, SIZE_BYTES);
  const size = formatBytes(SIZE_BYTES);
  const up = await measureInTurns({
    floor: uploadThroughPage(bench, file, false),
    product: uploadThroughPage(bench, file, true),
  });
  const plain = await sendOnce(bench, file, false);
  const sealed = await sendOnce(bench, file, true);
  const down = await measureInTurns({ floor: readInPage(bench, plain), product: openInPage(bench, sealed) });
  return [
    { what: `up, ${size} sealed, beside plain`, sizeBytes: SIZE_BYTES, productMs: up.product, floorMs: up.floor },
    {
      what: `down, ${size} opened, beside reading it`,
      sizeBytes: SIZE_BYTES,
      productMs: down.product,
      floorMs: down.floor,
    },
    ...(await seeks(sealed)),
  ];
}

function uploadThroughPage(bench: Bench, file: RandomFile, isSealed: boolean): Setup {
  return async () => {
    const { page, upload } = await openCard(bench, file, isSealed);
    return {
      run: async () => {
        await upload();
      },
      clear: () => page.context().close(),
    };
  };
}

/** @returns the link that the page shows */
async function sendOnce(bench: Bench, file: RandomFile, isSealed: boolean): Promise<string> {
  const { page, upload } = await openCard(bench, file, isSealed);
  await upload();
  const shown = await shownLink(page);
  await page.context().close();
  return shown;
}

async function openCard({ browser, server, account }: Bench, file: RandomFile, isSealed: boolean) {
  const page = await openHome(browser, server, account);
  if (isSealed) await encryptUpload(page);
  // The file gets a new name, because the same name would make an upload resume another one.
  const path = `${server.folder}/${crypto.randomUUID()}.bin`;
  await link(file.path, path);
  return { page, upload: await prepareUpload(page, { ...file, path }) };
}

/** Reads a plain file to its end, as a page does that keeps nothing. */
function readInPage({ browser, server }: Bench, shareUrl: string): Setup {
  return async () => {
    const page = await openPage(browser, { bypassCSP: true });
    await page.goto(`${server.origin}/api/auth/me`);
    const content = contentOf(shareUrl);
    return {
      run: async () => {
        const got = await page.evaluate(readToEnd, content);
        if (got !== SIZE_BYTES) throw new Error(`${got} bytes of ${SIZE_BYTES} came`);
      },
      clear: () => page.context().close(),
    };
  };
}

/** Runs in the page. */
async function readToEnd(url: string): Promise<number> {
  let got = 0;
  const count = new WritableStream<Uint8Array>({
    write: ({ length }) => {
      got += length;
    },
  });
  await (await fetch(url)).body?.pipeTo(count);
  return got;
}

/** Opens a sealed file with its page, and waits until the browser has stored all of the file. */
function openInPage({ browser }: Bench, shareUrl: string): Setup {
  return async () => {
    const page = await openPage(browser);
    return { run: await prepareOpening(page, shareUrl), clear: () => page.context().close() };
  };
}

/** Fetches and opens a record at a random place, in Node, and measures the call that unlocks the link. */
async function seeks(shareUrl: string): Promise<Row[]> {
  const { salt, linkKeys } = await linkKeysOf(shareUrl);
  const address = contentOf(shareUrl).replace(/\/content$/, "");
  const unlock = async () => {
    const body = JSON.stringify({ access: toBase64url(linkKeys.access) });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${address}/unlock`, { method: "POST", headers, body });
    if (!answer.ok) throw new Error(`the unlock answered ${answer.status}`);
    return JSON.parse(await answer.text()) as UnlockSealedAnswer;
  };
  const { grant, wrap, commitment } = await unlock();
  const { keys } = await unwrapSecret(bytesOf(wrap), linkKeys, salt, bytesOf(commitment));
  const stream = await deriveStreamKeys(keys, 0, SIZE_BYTES);
  const seek = async () => {
    const record = Math.floor(Math.random() * (recordCount(SIZE_BYTES) - 1));
    const start = record * RECORD_BYTES;
    const headers = { authorization: `Bearer ${grant}`, range: `bytes=${start}-${start + RECORD_BYTES - 1}` };
    const answer = await fetch(`${address}/content`, { headers });
    await openRecords(stream, record, new Uint8Array(await answer.arrayBuffer()));
  };
  return [
    { what: "a seek: one record, fetched and opened", productMs: await medianOf(SEEKS, seek), floorMs: SEEK_BUDGET_MS },
    { what: "unlocking a sealed link", productMs: await medianOf(UNLOCKS, unlock), floorMs: null },
  ];
}

async function linkKeysOf(shareUrl: string) {
  const fragment = readFragment(new URL(shareUrl).hash.slice(1));
  if ("problem" in fragment) throw new Error("the page shows a link without a key");
  const locked = await fetch(contentOf(shareUrl).replace(/\/content$/, ""));
  const { salt: text } = (await locked.json()) as { salt: string };
  const salt = bytesOf(text);
  return { salt, linkKeys: await deriveLinkKeys(fragment.linkSecret, new Uint8Array(), salt) };
}

async function medianOf(times: number, run: () => Promise<unknown>): Promise<number> {
  const durations: number[] = [];
  while (durations.length < times) {
    const started = performance.now();
    await run();
    durations.push(performance.now() - started);
  }
  return median(durations);
}

function contentOf(shareUrl: string): string {
  const { origin, pathname } = new URL(shareUrl);
  return `${origin}/api/files${pathname}/content`;
}

function bytesOf(text: string): Bytes {
  const bytes = fromBase64url(text);
  if (bytes === null) throw new Error(`${text} is not base64url`);
  return bytes;
}
