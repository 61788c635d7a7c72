import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { APIRequestContext, Page } from "@playwright/test";
import { MIB } from "#domain/units.ts";

/** One folder per Playwright worker: browsers do not send a file that changed after it was chosen. */
const FOLDER = join(".tmp/files", process.env.TEST_PARALLEL_INDEX ?? "");

/** Writes random bytes, different in every MiB. */
export async function randomFile(name: string, sizeBytes: number): Promise<string> {
  await mkdir(FOLDER, { recursive: true });
  const path = join(FOLDER, name);
  const file = await open(path, "w");
  for (let writtenBytes = 0; writtenBytes < sizeBytes; writtenBytes += MIB) {
    await file.write(randomBytes(Math.min(MIB, sizeBytes - writtenBytes)));
  }
  await file.close();
  return path;
}

/** Writes a file of zeros that uses no disk space. */
export async function sparseFile(name: string, sizeBytes: number): Promise<string> {
  await mkdir(FOLDER, { recursive: true });
  const path = join(FOLDER, name);
  await writeFile(path, "");
  await truncate(path, sizeBytes);
  return path;
}

export async function sha256(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

/** SHA-256, hex, of the file behind a share link. */
export async function downloadHash(request: APIRequestContext, shareUrl: string): Promise<string> {
  const id = shareUrl.split("/").at(-1) ?? "";
  const response = await request.get(`/api/files/download/${id}/content`);
  if (!response.ok()) throw new Error(`the download answered ${response.status()}`);
  return createHash("sha256")
    .update(await response.body())
    .digest("hex");
}

export async function chooseFile(page: Page, path: string): Promise<void> {
  await page.getByLabel("Choose a file").setInputFiles(path);
}

/** The file only claims this size. */
export function chooseFileOfSize(page: Page, sizeBytes: number): Promise<void> {
  return page.getByLabel("Choose a file").evaluate((input, size) => {
    const file = new File(["x"], "huge.bin");
    Object.defineProperty(file, "size", { value: size });
    Object.defineProperty(input, "files", { value: [file], configurable: true });
    input.dispatchEvent(new Event("change", { bubbles: true }));
  }, sizeBytes);
}
