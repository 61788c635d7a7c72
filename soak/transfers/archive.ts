import { execFile } from "node:child_process";
import { createWriteStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as WebStream } from "node:stream/web";
import { promisify } from "node:util";
import { openPromise } from "yauzl";
import { findProgram, PROGRAMS } from "../archives/programs.ts";
import { HttpError } from "../client.ts";
import type { Seeded } from "../seeded.ts";
import { LossError, sha256 } from "../soaked-upload.ts";
import { bytesOf, type DiskEntry } from "./disk.ts";

const run = promisify(execFile);

const UNZIP = PROGRAMS.find(({ name }) => name === "unzip");
const unzip = UNZIP && findProgram(UNZIP);

/** The first line of unzip's version; null if unzip is not installed. */
export const unzipVersion = unzip?.version ?? null;

/**
 * Downloads a transfer's ZIP, lets `unzip -t` read it, compares every file with the sender's file, and one range of the
 * archive with the whole archive.
 * @param path where the ZIP is stored during the comparison
 * @throws LossError, HttpError; TypeError when the server is killed
 */
export async function compareArchive(
  { url, zipSizeBytes, name }: { url: string; zipSizeBytes: number; name: string },
  entries: readonly DiskEntry[],
  path: string,
  draw: Seeded,
): Promise<void> {
  try {
    await download(url, path);
    if (unzip) await test(unzip.command, path, name);
    await compareEntries(path, entries, name);
    await compareRange(url, path, zipSizeBytes, name, draw);
  } finally {
    await rm(path, { force: true });
  }
}

async function download(url: string, path: string): Promise<void> {
  const response = await fetch(url);
  if (!response.ok || !response.body) throw new HttpError("a ZIP", response.status, await response.text());
  await pipeline(Readable.fromWeb(response.body as WebStream), createWriteStream(path));
}

async function test(command: string, path: string, name: string): Promise<void> {
  try {
    await run(command, ["-tqq", path], { env: { ...process.env, LC_ALL: "C.UTF-8" } });
  } catch (error) {
    throw new LossError(`${name}: unzip -t refuses the archive: ${String(error)}`);
  }
}

async function compareEntries(path: string, entries: readonly DiskEntry[], name: string): Promise<void> {
  const expected = new Map(entries.map((entry) => [entry.path, entry]));
  const zip = await openPromise(path, { strictFileNames: true });
  for await (const found of zip.eachEntry()) {
    const entry = expected.get(found.fileName);
    if (!entry) throw new LossError(`${name}: nobody sent ${found.fileName}`);
    expected.delete(found.fileName);
    const modifiedMs = found.getLastModDate({ timezone: "UTC" }).getTime();
    const bytes = new Uint8Array(await buffer(await zip.openReadStreamPromise(found)));
    if (modifiedMs !== entry.modifiedMs) throw new LossError(`${name}: ${entry.path} has another date`);
    if (sha256(bytes) !== sha256(bytesOf(entry))) throw new LossError(`${name}: ${entry.path} has other bytes`);
  }
  const [lost] = expected.keys();
  if (lost !== undefined) throw new LossError(`${name}: ${expected.size} files are lost, such as ${lost}`);
}

async function compareRange(url: string, path: string, sizeBytes: number, name: string, draw: Seeded): Promise<void> {
  const from = draw.between(0, sizeBytes - 1);
  const end = draw.between(from, sizeBytes - 1);
  const response = await fetch(url, { headers: { range: `bytes=${from}-${end}` } });
  const received = new Uint8Array(await response.arrayBuffer());
  if (response.status !== 206) throw new HttpError("a range of a ZIP", response.status, "");
  const file = await open(path);
  try {
    const expected = new Uint8Array(end - from + 1);
    await file.read(expected, 0, expected.length, from);
    if (sha256(received) !== sha256(expected)) {
      throw new LossError(`${name}: the range ${from}-${end} is not that of the whole`);
    }
  } finally {
    await file.close();
  }
}
