import { mkdir, statfs, truncate, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Page } from "playwright-core";
import { GIB, MIB } from "#domain/units.ts";
import { withBench } from "../bench/support/bench.ts";
import { openHome, uploadAsPerson } from "../bench/support/browser.ts";
import { residentBytesOf } from "../bench/support/processes.ts";

const FILE_BYTES = 5 * GIB;
/** The store keeps the file, and whatever the machine does besides needs room too. */
const FREE_BYTES_NEEDED = 2 * FILE_BYTES;
const SAMPLE_EVERY_MS = 250;
/** A line of the log for so many samples. */
const SAMPLES_A_LINE = 40;

/** Bytes. */
interface Sample {
  /** Of the page's own JavaScript. */
  heapBytes: number;
  /** Of the process that runs the page and its threads: what the system has given it. */
  residentBytes: number;
}

export interface Memory {
  samples: number;
  durationMs: number;
  idle: Sample;
  most: Sample;
}

/** What a tab may take while it uploads, bytes: a phone has no more to spare. */
export const MEMORY_LIMIT_BYTES = 300 * MIB;

/**
 * Sends a 5 GB file through the real page in a real browser, and watches how much memory its tab takes.
 * @throws Error when the upload fails or the disk is too full for it
 */
export async function proveMemory(log: (line: string) => void): Promise<Memory & { fileBytes: number }> {
  const { bavail, bsize } = await statfs(".");
  if (bavail * bsize < FREE_BYTES_NEEDED) throw new Error(`this takes ${FREE_BYTES_NEEDED / GIB} GB of free disk`);
  const measured: Memory[] = [];
  await withBench(async ({ server, account, browser }) => {
    const path = await sparseFile(`${server.folder}/sparse.bin`, FILE_BYTES);
    const page = await openHome(browser, server, account);
    const upload = () => uploadAsPerson(page, { path, sizeBytes: FILE_BYTES, bytes: new Uint8Array() });
    measured.push(await watchMemory(page, upload, log));
  });
  const [memory] = measured;
  if (!memory) throw new Error("nothing was measured");
  return { ...memory, fileBytes: FILE_BYTES };
}

/** Makes a file that takes no room on the disk. @returns its path */
export async function sparseFile(path: string, sizeBytes: number): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, "");
  await truncate(path, sizeBytes);
  return path;
}

/** Watches how much memory a page's tab takes while something is done with it. Its browser has no other page. */
export async function watchMemory(
  page: Page,
  work: () => Promise<unknown>,
  log: (line: string) => void = () => undefined,
): Promise<Memory> {
  const sample = await openSampler(page);
  const idle = await sample();
  const memory: Memory = { samples: 0, durationMs: 0, idle, most: idle };
  const started = performance.now();
  let isWorking = true;
  const watch = async () => {
    while (isWorking) {
      const now = await sample();
      memory.samples += 1;
      memory.most = larger(memory.most, now);
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

/** @returns what takes a sample of that page's memory; the browser has no other page, so every renderer is its own */
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
