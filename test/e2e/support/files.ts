import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { APIRequestContext, Page } from "@playwright/test";

/** Each of Playwright's workers has its own: a browser does not send a file that has changed since it was chosen. */
const FOLDER = join(".tmp/files", process.env.TEST_PARALLEL_INDEX ?? "");
const MIB = 1024 * 1024;

/** Writes a file of random bytes, no two megabytes alike. @returns its path */
export async function randomFile(name: string, sizeBytes: number): Promise<string> {
  await mkdir(FOLDER, { recursive: true });
  const path = join(FOLDER, name);
  const file = await open(path, "w");
  for (let written = 0; written < sizeBytes; written += MIB) {
    await file.write(randomBytes(Math.min(MIB, sizeBytes - written)));
  }
  await file.close();
  return path;
}

/** SHA-256 of a file, hex. */
export async function sha256(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

/** SHA-256, hex, of what a share link gives. */
export async function downloadHash(request: APIRequestContext, shareUrl: string): Promise<string> {
  const id = shareUrl.split("/").at(-1) ?? "";
  const response = await request.get(`/api/files/download/${id}/content`);
  if (!response.ok()) throw new Error(`the download answered ${response.status()}`);
  return createHash("sha256")
    .update(await response.body())
    .digest("hex");
}

/** Chooses a file in the upload card. */
export async function choose(page: Page, path: string): Promise<void> {
  await page.getByLabel("Choose a file").setInputFiles(path);
}

/** Chooses a file that says it has that size. */
export function announce(page: Page, sizeBytes: number): Promise<void> {
  return page.getByLabel("Choose a file").evaluate((input, size) => {
    const file = new File(["x"], "huge.bin");
    Object.defineProperty(file, "size", { value: size });
    Object.defineProperty(input, "files", { value: [file], configurable: true });
    input.dispatchEvent(new Event("change", { bubbles: true }));
  }, sizeBytes);
}
