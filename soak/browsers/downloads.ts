import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { SECOND_MS } from "#domain/units.ts";
import type { Downloaded } from "./engine.ts";

const POLL_MS = 100;
const TIMEOUT_MS = 60 * SECOND_MS;

/** The extensions of unfinished downloads. */
const PARTIAL = /\.(part|wkdownload)$/;

/**
 * Waits for a complete new file in a download folder.
 * @throws Error on timeout
 */
export async function downloadInto(folder: string, start: () => Promise<void>, sizeBytes: number): Promise<Downloaded> {
  const before = new Set(await readdir(folder));
  await start();
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const names = (await readdir(folder)).filter((name) => !before.has(name));
    const [name] = names;
    if (names.length === 1 && name !== undefined && !PARTIAL.test(name)) {
      const path = join(folder, name);
      if ((await stat(path)).size === sizeBytes) return { path, name };
    }
    if (performance.now() > deadline) {
      throw new Error(`no download of ${sizeBytes} bytes within ${TIMEOUT_MS / SECOND_MS} s, but ${names.join(", ")}`);
    }
    await wait(POLL_MS);
  }
}
