import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import * as z from "zod/mini";
import { DAY_MS, MIB, MINUTE_MS, SECOND_MS } from "#domain/units.ts";
import { describeRelease, integrityOf, type FormerRelease, type Release } from "../release.ts";

/** How long the files of a release are kept after another release has replaced it (decision 054). */
const KEPT_MS = 7 * DAY_MS;
const AT_ONCE = 8;
const MAX_NAMED = 5;

/** A file whose name changes with its content. No part of such a path begins with a dot. */
const HASHED_PATH = /^\/assets(?:\/[\w$-][\w.$-]*)+$/;
const files = z.record(z.string(), z.string().check(z.regex(/^sha256-[\w+/]{43}=$/)));
const id = z.string().check(z.regex(/^[\da-f]{12}$/));
const release = z.object({
  id,
  files,
  former: z._default(z.array(z.object({ id, until: z.iso.datetime(), files })), []),
});

interface Limits {
  /** The most bytes of one file, and of the list of a release. */
  fileBytes: number;
  files: number;
  /** The most bytes of all kept files together. */
  bytes: number;
  /** The longest wait for one answer. */
  answerMs: number;
  /** The longest time for all requests to the live site together. */
  ms: number;
}

/** A Worker's version has at most 20,000 files of 25 MiB (Cloudflare's limits on the smaller Workers plan). */
const LIMITS: Limits = {
  fileBytes: 25 * MIB,
  files: 10_000,
  bytes: 100 * MIB,
  answerMs: 15 * SECOND_MS,
  ms: 2 * MINUTE_MS,
};

interface Gathering {
  /** The address at which the live site answers. Null if no files are to be kept. */
  live: string | null;
  /** The folder of the build's files. */
  built: string;
  /** The folder for the files to be served. Its former content is deleted. */
  folder: string;
  /** Epoch milliseconds. */
  now: number;
  print(line: string): void;
}

/**
 * Puts the files of the build into a folder, and beside them files that the live site serves and that pages open now
 * may still load: the hashed files of the live release, for a week, and the files that the live site keeps of former
 * releases. `release.json` lists them. Never fails because of the live site: it prints which files it cannot or must
 * not take over.
 */
export async function gatherFiles(
  { live, built, folder, now, print }: Gathering,
  limits: Limits = LIMITS,
): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  cpSync(built, folder, { recursive: true });
  if (live === null) return;
  const own = describeRelease(built);
  const read = readerOf(live, limits);
  const served = await readRelease(read).catch((error: unknown) => {
    print(`Pages that are open now will load anew: ${live}/release.json could not be used (${describe(error)}).`);
    return null;
  });
  if (served === null) return;
  const { kept, refused } = await takeOver(formerOf(served, own, now), { read, folder, own, limits });
  if (kept.length > 0) {
    const count = kept.reduce((sum, { files }) => sum + Object.keys(files).length, 0);
    print(
      `Keeping ${count} files of former releases, for pages that are open now: ${kept.map(({ id }) => id).join(", ")}.`,
    );
    writeFileSync(join(folder, "release.json"), `${JSON.stringify({ ...own, former: kept }, null, 2)}\n`);
  }
  for (const line of refused.slice(0, MAX_NAMED)) print(line);
  if (refused.length > MAX_NAMED) print(`${refused.length - MAX_NAMED} more files are left out.`);
}

async function readRelease(read: Read): Promise<z.output<typeof release>> {
  return release.parse(JSON.parse(new TextDecoder().decode(await read("/release.json"))));
}

/** The releases whose files are to be kept, the newest first. */
function formerOf(served: z.output<typeof release>, own: Release, now: number): FormerRelease[] {
  const latest = now + KEPT_MS;
  const replaced = { id: served.id, until: new Date(latest).toISOString(), files: served.files };
  const known = new Set(Object.keys(own.files));
  return [replaced, ...served.former]
    .filter(({ until }) => Date.parse(until) > now)
    .map(({ id, until, files }) => {
      const missing = Object.entries(files).filter(([path]) => HASHED_PATH.test(path) && !known.has(path));
      for (const [path] of missing) known.add(path);
      const end = Math.min(Date.parse(until), latest);
      return { id, until: new Date(end).toISOString(), files: Object.fromEntries(missing) };
    });
}

interface Source {
  read: Read;
  folder: string;
  own: Release;
  limits: Limits;
}

/** Downloads, checks and writes the files. @returns the kept files, and a sentence for each file that was left out */
async function takeOver(former: FormerRelease[], { read, folder, own, limits }: Source) {
  // A document at such an address could run scripts of a former release, so only kinds of files that the build has are
  // kept.
  const kinds = new Set(
    Object.keys(own.files)
      .filter((path) => HASHED_PATH.test(path))
      .map((path) => extname(path)),
  );
  const kept: FormerRelease[] = [];
  const refused: string[] = [];
  let count = 0;
  let bytes = 0;
  const take = async (path: string, integrity: string): Promise<boolean> => {
    try {
      if (!kinds.has(extname(path))) throw new Error("the new release has no files of this kind");
      if (count >= limits.files || bytes >= limits.bytes) throw new Error("there are too many");
      count += 1;
      const content = await read(path);
      bytes += content.byteLength;
      if (integrityOf(content) !== integrity) throw new Error("its content is not what the site's release.json says");
      const target = join(folder, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, content);
      return true;
    } catch (error) {
      refused.push(`Left out ${path}: ${describe(error)}.`);
      return false;
    }
  };
  for (const { id, until, files } of former) {
    const all = Object.entries(files);
    const taken: typeof all = [];
    for (let from = 0; from < all.length; from += AT_ONCE) {
      const some = all.slice(from, from + AT_ONCE);
      const isTaken = await Promise.all(some.map(([path, integrity]) => take(path, integrity)));
      taken.push(...some.filter((_, at) => isTaken[at]));
    }
    if (taken.length > 0) kept.push({ id, until, files: Object.fromEntries(taken) });
  }
  return { kept, refused };
}

/** Reads the file at a path. @throws Error unless the site itself answers 200, in time, and within the limit */
type Read = (path: string) => Promise<Uint8Array>;

function readerOf(live: string, { fileBytes, answerMs, ms }: Limits): Read {
  const deadline = AbortSignal.timeout(ms);
  return async (path) => {
    const signal = AbortSignal.any([deadline, AbortSignal.timeout(answerMs)]);
    const response = await fetch(live + path, { signal, redirect: "manual" });
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    let length = 0;
    try {
      if (response.status !== 200) throw new Error(`the site answered ${response.status}`);
      for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array<ArrayBuffer>>) {
        length += chunk.byteLength;
        if (length > fileBytes) throw new Error("it is too large");
        chunks.push(chunk);
      }
    } finally {
      await response.body?.cancel().catch(() => undefined);
    }
    return new Uint8Array(await new Blob(chunks).arrayBuffer());
  };
}

function describe(error: unknown): string {
  if (error instanceof z.core.$ZodError || error instanceof SyntaxError) return "it is no list of a release";
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "the site did not answer in time";
  return error.cause instanceof Error ? error.cause.message : error.message;
}
