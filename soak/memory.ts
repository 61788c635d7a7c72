import { statfs, truncate, writeFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import type { Page } from "playwright-core";
import { GIB, MIB } from "#domain/units.ts";
import { withBench } from "../bench/support/bench.ts";
import { openHome, uploadAsPerson } from "../bench/support/browser.ts";
import { residentBytesOf } from "../bench/support/processes.ts";

const FILE_BYTES = 5 * GIB;
/** The disk space that the proof needs: storage keeps the file, and other programs need space, too. */
const FREE_BYTES_NEEDED = 2 * FILE_BYTES;
const SAMPLE_EVERY_MS = 250;
const SAMPLES_A_LINE = 40;

/** Bytes. */
interface Sample {
  heapBytes: number;
  /** Resident memory of the renderer process. */
  residentBytes: number;
}

export interface Memory {
  samples: number;
  durationMs: number;
  idle: Sample;
  max: Sample;
}

/** The most resident memory that a tab may have during an upload: as much as a phone can spare. */
export const MEMORY_LIMIT_BYTES = 300 * MIB;

/**
 * Uploads a 5 GB file through the real page in Chromium and samples the tab's memory.
 * @throws Error when the upload fails or the disk is too full
 */
export async function proveMemory(log: (line: string) => void): Promise<Memory & { fileBytes: number }> {
  const { bavail, bsize } = await statfs(".");
  if (bavail * bsize < FREE_BYTES_NEEDED) throw new Error(`this takes ${FREE_BYTES_NEEDED / GIB} GB of free disk`);
  const measured: Memory[] = [];
  await withBench(async ({ server, account, browser }) => {
    const path = `${server.folder}/sparse.bin`;
    await writeFile(path, "");
    await truncate(path, FILE_BYTES);
    const page = await openHome(browser, server, account);
    const upload = () => uploadAsPerson(page, { path, sizeBytes: FILE_BYTES, bytes: new Uint8Array() });
    measured.push(await watchMemory(page, upload, log));
  });
  const [memory] = measured;
  if (!memory) throw new Error("nothing was measured");
  return { ...memory, fileBytes: FILE_BYTES };
}

/** Samples the memory of a page's tab during some work. The page must be the only one of its browser. */
export async function watchMemory(
  page: Page,
  work: () => Promise<unknown>,
  log: (line: string) => void = () => undefined,
): Promise<Memory> {
  const sample = await openSampler(page);
  const idle = await sample();
  const memory: Memory = { samples: 0, durationMs: 0, idle, max: idle };
  const started = performance.now();
  let isWorking = true;
  const watch = async () => {
    while (isWorking) {
      const now = await sample();
      memory.samples += 1;
      memory.max = larger(memory.max, now);
      if (memory.samples % SAMPLES_A_LINE === 0) log(describe(now));
      await wait(SAMPLE_EVERY_MS);
    }
  };
  const working = work().finally(() => {
    isWorking = false;
  });
  await Promise.all([working, watch()]);
  memory.durationMs = performance.now() - started;
  return memory;
}

/** Samples all renderers of the browser, which belong to the page, because the browser has no other page. */
async function openSampler(page: Page): Promise<() => Promise<Sample>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const browser = await page.context().browser()?.newBrowserCDPSession();
  if (!browser) throw new Error("the page has no browser");
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    const { processInfo } = await browser.send("SystemInfo.getProcessInfo");
    const renderers = processInfo.filter(({ type }) => type === "renderer");
    const resident = await Promise.all(renderers.map(({ id }) => residentBytesOf(id)));
    return {
      heapBytes: metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? NaN,
      residentBytes: resident.reduce((sum, bytes) => sum + bytes, 0),
    };
  };
}

function larger(a: Sample, b: Sample): Sample {
  return {
    heapBytes: Math.max(a.heapBytes, b.heapBytes),
    residentBytes: Math.max(a.residentBytes, b.residentBytes),
  };
}

function describe({ heapBytes, residentBytes }: Sample): string {
  return `${(heapBytes / MIB).toFixed(0)} MB of JavaScript, ${(residentBytes / MIB).toFixed(0)} MB resident`;
}
