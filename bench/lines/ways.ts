import { link, rm } from "node:fs/promises";
import type { Page } from "playwright-core";
import type { Account } from "../support/account.ts";
import { openHome, openPage, prepareUpload } from "../support/browser.ts";
import type { RandomFile } from "../support/random-file.ts";
import { plainPut, TRACKER, WATCHER, withTus, withUppy, type PageSettings, type Seen } from "./in-page.ts";
import type { DOORS } from "./line-process.ts";
import type { LinesBench } from "./lines-bench.ts";

/** A transfer that is ready to begin. */
interface Prepared {
  door: (typeof DOORS)[number];
  page: Page;
  run(): Promise<Seen>;
  clear(): Promise<void>;
}

export type Way = (bench: LinesBench, file: RandomFile) => Promise<Prepared>;

/** The ways in which a file is uploaded, by the names in the table. */
export const UP: Record<string, Way> = {
  mayfly: (bench, file) => fromProduct(bench, file, ""),
  "mayfly without hashing": (bench, file) => fromProduct(bench, file, WITHOUT_HASHING),
  "one PUT": bare("store", plainPut),
  "@uppy/aws-s3": bare("store", withUppy),
  tus: bare("tus", withTus),
};

/** The ways in which a file is downloaded, by the names in the table. */
export const DOWN: Record<string, Way> = {
  mayfly: async (bench, file) => {
    const { downloadId, uploadId } = await bench.upload(file);
    const content = `${bench.line.origins.app}/api/files/download/${downloadId}/content`;
    return saved(bench, "app", content, `files/${uploadId}`);
  },
  "bare object": async (bench, file) => {
    const key = `bench/${crypto.randomUUID()}`;
    await bench.store.upload(key, file.bytes);
    return saved(bench, "store", await bench.lineStore.getUrl(key), key);
  },
};

/** Replaces the page's hash worker by one that answers at once, with a made-up sum that the server only keeps. */
const WITHOUT_HASHING = `
const RealWorker = Worker;
globalThis.Worker = function (address, options) {
  if (!String(address).includes("hash.worker")) return new RealWorker(address, options);
  return { postMessage() { queueMicrotask(() => this.onmessage?.({ data: "0".repeat(64) })); }, terminate() {}, addEventListener() {} };
};
`;

async function fromProduct(bench: LinesBench, file: RandomFile, script: string): Promise<Prepared> {
  const { browser, line, account, server } = bench;
  const page = await openHome(browser, { origin: line.origins.app }, account, WATCHER + script);
  // The file gets a new name, because the same name would resume an earlier upload.
  const path = `${server.folder}/${crypto.randomUUID()}.bin`;
  await link(file.path, path);
  const upload = await prepareUpload(page, { ...file, path });
  let key = "";
  return {
    door: "store",
    page,
    run: async () => {
      const { uploadId } = await upload();
      const readyAt = Date.now();
      key = `files/${uploadId}`;
      const watched = await page.evaluate("globalThis.watched");
      return { ...(watched as Omit<Seen, "readyAt" | "restarts">), readyAt, restarts: 0 };
    },
    clear: async () => {
      await page.context().close();
      await rm(path);
      if (key !== "") await bench.store.delete(key);
    },
  };
}

function bare(door: Prepared["door"], send: (settings: PageSettings) => Promise<Seen>): Way {
  return async (bench, file) => {
    const page = await openBareTab(bench, file);
    const key = `bench/${crypto.randomUUID()}`;
    const settings: PageSettings = {
      putUrl: await bench.lineStore.putUrl(key),
      tusEndpoint: `${bench.line.origins.tus}/files`,
      fileBytes: file.sizeBytes,
    };
    return {
      door,
      page,
      run: () => page.evaluate(send, settings),
      clear: async () => {
        await page.context().close();
        await bench.store.delete(key);
      },
    };
  };
}

/** An empty page of the app, signed in, that holds the file and the scripts of the compared programs. */
async function openBareTab({ browser, line, account, scripts }: LinesBench, file: RandomFile): Promise<Page> {
  const page = await openPage(browser, { bypassCSP: true });
  await signIn(page, line.origins.app, account);
  await page.goto(`${line.origins.app}/api/auth/me`);
  await page.setContent(`<input type="file">`);
  await page.locator("input").setInputFiles(file.path);
  await page.evaluate(TRACKER);
  for (const path of scripts) await page.addScriptTag({ path });
  return page;
}

async function signIn(page: Page, origin: string, { cookie }: Account): Promise<void> {
  await page.context().addCookies([{ ...cookie, url: origin }]);
}

/** Downloads as a click on a link does: with the browser's own means, and again from the beginning when it gives up. */
async function saved(bench: LinesBench, door: Prepared["door"], address: string, key: string): Promise<Prepared> {
  const page = await openPage(bench.browser, { acceptDownloads: true, bypassCSP: true });
  await page.goto(`${bench.line.origins.app}/api/auth/me`);
  await page.setContent(`<a href="${address.replaceAll("&", "&amp;")}" download>Download</a>`);
  const press = async () => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator("a").click()]);
    return download.failure();
  };
  return {
    door,
    page,
    run: async () => {
      const seen: Seen = { chosenAt: Date.now(), readyAt: 0, progress: [], restarts: 0 };
      for (let failure = await press(); failure !== null; failure = await press()) {
        seen.restarts += 1;
        if (seen.restarts > 5) throw new Error(failure);
      }
      seen.readyAt = Date.now();
      return seen;
    },
    clear: async () => {
      await page.context().close();
      await bench.store.delete(key);
    },
  };
}
