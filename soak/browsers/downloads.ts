import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { SECOND_MS } from "#domain/units.ts";
import type { Downloaded } from "./engine.ts";

const LOOK_EVERY_MS = 100;
const PATIENCE_MS = 60 * SECOND_MS;

/** What a browser calls a file that it has not finished. */
const PARTIAL = /\.(part|wkdownload)$/;

/**
 * Waits for a new file in a folder into which a browser downloads.
 * @param sizeBytes the whole file's
 * @returns it, once all of it is there
 * @throws Error when that takes too long
 */
export async function downloadInto(folder: string, start: () => Promise<void>, sizeBytes: number): Promise<Downloaded> {
  const before = new Set(await readdir(folder));
  await start();
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const names = (await readdir(folder)).filter((name) => !before.has(name));
    const [name] = names;
    if (names.length === 1 && name !== undefined && !PARTIAL.test(name)) {
      const path = join(folder, name);
      if ((await stat(path)).size === sizeBytes) return { path, name };
    }
    if (performance.now() > deadline) {
      throw new Error(`no download of ${sizeBytes} bytes within ${PATIENCE_MS / SECOND_MS} s, but ${names.join(", ")}`);
    }
    await wait(LOOK_EVERY_MS);
  }
}
