import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import type { APIRequestContext } from "@playwright/test";
import { fromBufferPromise } from "yauzl";

const hash = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

/** SHA-256 by path of the files in a transfer's ZIP, which yauzl reads strictly. */
export async function archiveHashes(request: APIRequestContext, shareUrl: string): Promise<Map<string, string>> {
  const id = shareUrl.split("/").at(-1) ?? "";
  const response = await request.get(`/api/files/download/${id}/content`);
  if (!response.ok()) throw new Error(`the download answered ${response.status()}`);
  const zip = await fromBufferPromise(await response.body(), { strictFileNames: true });
  const hashes = new Map<string, string>();
  for await (const entry of zip.eachEntry()) {
    hashes.set(entry.fileName, hash(await buffer(await zip.openReadStreamPromise(entry))));
  }
  return hashes;
}

/** The same of a folder on the disk. @param folder absolute @param paths below it */
export async function folderHashes(folder: string, paths: Iterable<string>): Promise<Map<string, string>> {
  const name = folder.split("/").at(-1) ?? "";
  const hashes = new Map<string, string>();
  for (const path of paths) hashes.set(`${name}/${path}`, hash(await readFile(join(folder, path))));
  return hashes;
}
