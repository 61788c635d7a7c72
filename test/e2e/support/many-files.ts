import { randomBytes } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { APIRequestContext, Locator, Page } from "@playwright/test";
import type { ListedEntry, TransferInfo } from "#domain/wire.ts";

/** One folder per Playwright worker. */
const FOLDER = join(".tmp/folders", process.env.TEST_PARALLEL_INDEX ?? "");

/**
 * Writes a folder with random files.
 * @param files bytes by path; an empty folder's path ends in a slash
 * @returns its absolute path
 */
export async function randomFolder(name: string, files: Record<string, number>): Promise<string> {
  const folder = resolve(FOLDER, name);
  await rm(folder, { recursive: true, force: true });
  for (const [path, sizeBytes] of Object.entries(files)) {
    const full = join(folder, path);
    await mkdir(path.endsWith("/") ? full : dirname(full), { recursive: true });
    if (!path.endsWith("/")) await writeFile(full, randomBytes(sizeBytes));
  }
  return folder;
}

/** Drops files and folders of the disk, as a person would with the mouse. */
export async function drop(page: Page, target: Locator, paths: string[]): Promise<void> {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (!box) throw new Error("the target is not in view");
  const point = { x: box.x + box.width / 2, y: box.y + Math.min(box.height / 2, 20) };
  const data = { items: [], files: paths.map((path) => resolve(path)), dragOperationsMask: 1 };
  const session = await page.context().newCDPSession(page);
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    await session.send("Input.dispatchDragEvent", { type, ...point, data });
  }
  await session.detach();
}

export async function chooseFiles(page: Page, paths: string[]): Promise<void> {
  await page.getByLabel("Choose a file").setInputFiles(paths);
}

export async function chooseFolder(page: Page, path: string): Promise<void> {
  await page.getByLabel("Choose a folder").setInputFiles(path);
}

/** Chooses files that a script makes. @param sizeBytes what the last one claims */
export function chooseMadeFiles(page: Page, count: number, sizeBytes = 1): Promise<void> {
  return page.getByLabel("Choose a file").evaluate(
    (input, { count: wanted, size }) => {
      const files = Array.from({ length: wanted }, (_, index) => new File(["x"], `made ${index + 1}.txt`));
      const last = files.at(-1);
      if (last) Object.defineProperty(last, "size", { value: size });
      Object.defineProperty(input, "files", { value: files, configurable: true });
      input.dispatchEvent(new Event("change", { bubbles: true }));
    },
    { count, size: sizeBytes },
  );
}

/** What recipients see of a transfer. */
export async function readTransfer(
  request: APIRequestContext,
  shareUrl: string,
): Promise<{ transfer: TransferInfo; paths: string[] }> {
  const id = shareUrl.split("/").at(-1) ?? "";
  const info = await request.get(`/api/files/download/${id}`);
  const { transfer } = (await info.json()) as { transfer: TransferInfo };
  const list = await request.get(`/api/files/download/${id}/entries?from=0`);
  const { entries } = (await list.json()) as { entries: ListedEntry[] };
  return { transfer, paths: entries.filter(({ state }) => state !== "removed").map(({ path }) => path) };
}
