import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  createReadStream,
  createWriteStream,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  type WriteStream,
} from "node:fs";
import { appendFile, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { finished, pipeline } from "node:stream/promises";
import { DeleteObjectCommand } from "@aws-sdk/client-s3";
import * as z from "zod/mini";
import { GIB, MIB } from "#domain/units.ts";
import type { Wrangler } from "../deploy/wrangler.ts";
import { EXPORTS_PREFIX, listObjects, putObject, readObject, type Store } from "./objects.ts";

/** A D1 database: its name, and the options with which wrangler finds it. */
export interface Target {
  wrangler: Wrangler;
  database: string;
  options: string[];
}

const MANIFEST = "manifest.json";
const KEPT_EXPORTS = 7;
/** D1 imports at most 5 GB at once (https://developers.cloudflare.com/d1/platform/limits/). */
const PIECE_BYTES = GIB;
const READ_BYTES = 64 * MIB;
/** A table in a database that is being restored, with the names of the pieces that have been imported. */
const PROGRESS_TABLE = "restored_pieces";

const manifest = z.object({
  /** The pieces in the order in which they are imported. */
  pieces: z.array(z.object({ name: z.string(), sizeBytes: z.number(), sha256: z.string() })),
});

/**
 * Exports a database in pieces that D1 can import one after the other. The manifest is stored last: an export without
 * one is not complete.
 * @param moment names the export; later moments sort behind earlier ones @param pieceBytes about the size of the pieces
 * @returns the number of pieces
 */
export async function exportDatabase(
  { wrangler, database, options }: Target,
  to: Store,
  moment: string,
  pieceBytes = PIECE_BYTES,
): Promise<number> {
  return inFolder(async (folder) => {
    const [schema, rows] = [join(folder, "schema"), join(folder, "rows")];
    await wrangler(["d1", "export", database, "--no-data", "--output", schema, "--skip-confirmation", ...options]);
    await wrangler(["d1", "export", database, "--no-schema", "--output", rows, "--skip-confirmation", ...options]);
    const progress = `CREATE TABLE ${PROGRESS_TABLE} (name text PRIMARY KEY);\n`;
    const tables = readFileSync(schema, "utf8");
    writeFileSync(join(folder, "000-schema.sql"), tables + progress);
    await splitRows(rows, folder, orderOf(tables), pieceBytes);
    rmSync(schema);
    rmSync(rows);
    const prefix = `${EXPORTS_PREFIX}${moment}/`;
    const pieces: z.infer<typeof manifest>["pieces"] = [];
    for (const name of readdirSync(folder).sort()) {
      const path = join(folder, name);
      const { size: sizeBytes } = statSync(path);
      await putFile(to, prefix + name, path, sizeBytes);
      pieces.push({ name, sizeBytes, sha256: await sumOf(path) });
    }
    const list = new TextEncoder().encode(JSON.stringify({ pieces }));
    await putObject(to, prefix + MANIFEST, list.length, () => Promise.resolve(list));
    await forgetOldExports(to);
    return pieces.length;
  });
}

/** @returns the place of each table in an order in which every table comes behind the tables that it refers to */
function orderOf(schema: string): Map<string, number> {
  const references = new Map<string, string[]>();
  for (const created of schema.split(/^CREATE TABLE (?:IF NOT EXISTS )?/m).slice(1)) {
    const [, table = ""] = /^["`]?(\w+)/.exec(created) ?? [];
    references.set(
      table,
      [...created.matchAll(/\bREFERENCES\s+["`]?(\w+)/gi)].map(([, name = ""]) => name),
    );
  }
  const order = new Map<string, number>();
  const place = (table: string) => {
    if (order.has(table)) return;
    for (const name of references.get(table) ?? []) if (name !== table) place(name);
    order.set(table, order.size + 1);
  };
  for (const table of references.keys()) place(table);
  return order;
}

/** Writes the rows of each table to files of their own, whose names sort in the order of the tables. */
async function splitRows(path: string, folder: string, order: Map<string, number>, pieceBytes: number): Promise<void> {
  const counts = new Map<string, number>();
  let piece = null as { table: string; sizeBytes: number; file: WriteStream } | null;
  let statement = "";
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    statement += `${line}\n`;
    // A text may hold line breaks, so a statement ends only at a semicolon outside of quotes.
    if (!line.endsWith(";") || statement.split("'").length % 2 === 0) continue;
    const table: string | undefined = /^(?:INSERT INTO|DELETE FROM) ["`]?(\w+)/.exec(statement)?.[1];
    if (table !== undefined) {
      if (piece?.table !== table || piece.sizeBytes + statement.length > pieceBytes) {
        await close(piece?.file);
        const count: number = (counts.get(table) ?? 0) + 1;
        counts.set(table, count);
        // Tables of SQLite's own are in no schema, and come last.
        const name: string = `${pad(order.get(table) ?? 999)}-${table}-${pad(count)}.sql`;
        piece = { table, sizeBytes: 0, file: createWriteStream(join(folder, name)) };
      }
      piece.sizeBytes += statement.length;
      if (!piece.file.write(statement)) await once(piece.file, "drain");
    }
    statement = "";
  }
  await close(piece?.file);
}

async function close(file: WriteStream | undefined): Promise<void> {
  if (file) await finished(file.end());
}

const pad = (number: number) => String(number).padStart(3, "0");

/**
 * Imports an export into an empty database, or goes on where an earlier import stopped: the transaction of each piece
 * also notes the piece's name in the database.
 * @param moment of the export; null for the newest @returns the moment of the export
 * @throws Error when there is no such export, a piece is damaged, or the database is not empty; WranglerFailure
 */
export async function restoreDatabase(target: Target, from: Store, moment: string | null): Promise<string> {
  const { wrangler, database, options } = target;
  const moments = await listExports(from);
  const chosen = moment === null ? moments.at(-1) : moments.find((name) => name === moment);
  if (chosen === undefined) throw new Error(`There is no such export. There are: ${moments.join(", ") || "none"}.`);
  const prefix = `${EXPORTS_PREFIX}${chosen}/`;
  const { pieces } = await readManifest(from, prefix);
  const done = await readProgress(target);
  return inFolder(async (folder) => {
    for (const { name, sizeBytes, sha256 } of pieces) {
      if (done.has(name)) continue;
      const path = join(folder, name);
      await getFile(from, prefix + name, path, sizeBytes);
      if ((await sumOf(path)) !== sha256) throw new Error(`The piece ${name} is damaged. Take another export.`);
      await appendFile(path, `INSERT INTO ${PROGRESS_TABLE} VALUES ('${name}');\n`);
      await wrangler(["d1", "execute", database, "--yes", "--file", path, ...options]);
      rmSync(path);
    }
    const drop = `DROP TABLE ${PROGRESS_TABLE}`;
    await wrangler(["d1", "execute", database, "--yes", "--command", drop, ...options]);
    return chosen;
  });
}

/** @returns the names of the pieces that an earlier import brought @throws Error when the database has other tables */
async function readProgress({ wrangler, database, options }: Target): Promise<Set<string>> {
  const select = async (sql: string) => {
    const answer = await wrangler(["d1", "execute", database, "--json", "--command", sql, ...options]);
    return z.array(z.object({ results: z.array(z.object({ name: z.string() })) })).parse(JSON.parse(answer));
  };
  const [tables] = await select(
    "select name from sqlite_master where type = 'table' and name not glob 'sqlite_*' and name not glob '_cf_*'",
  );
  const names = tables?.results.map(({ name }) => name) ?? [];
  if (names.length === 0) return new Set();
  if (!names.includes(PROGRESS_TABLE))
    throw new Error(`The database "${database}" is not empty. Restore into a new one.`);
  const [pieces] = await select(`select name from ${PROGRESS_TABLE}`);
  return new Set(pieces?.results.map(({ name }) => name));
}

/** @returns the moments of complete exports, oldest first */
export async function listExports(store: Store): Promise<string[]> {
  const moments: string[] = [];
  for await (const { key } of listObjects(store, EXPORTS_PREFIX)) {
    const [, moment, name] = key.split("/");
    if (moment !== undefined && name === MANIFEST) moments.push(moment);
  }
  return moments;
}

/** Keeps the newest exports, and deletes all older exports, complete or interrupted. */
async function forgetOldExports(store: Store): Promise<void> {
  const [oldestKept = ""] = (await listExports(store)).slice(-KEPT_EXPORTS);
  for await (const { key } of listObjects(store, EXPORTS_PREFIX)) {
    if (key >= EXPORTS_PREFIX + oldestKept) return;
    await store.client.send(new DeleteObjectCommand({ Bucket: store.bucket, Key: key }));
  }
}

async function readManifest(store: Store, prefix: string): Promise<z.infer<typeof manifest>> {
  const key = prefix + MANIFEST;
  for await (const { sizeBytes } of listObjects(store, key)) {
    const bytes = await readObject(store, key, 0, sizeBytes);
    return manifest.parse(JSON.parse(new TextDecoder().decode(bytes)));
  }
  throw new Error(`${key} is gone.`);
}

async function putFile(store: Store, key: string, path: string, sizeBytes: number): Promise<void> {
  const file = await open(path);
  try {
    await putObject(store, key, sizeBytes, async (start, end) => {
      const bytes = new Uint8Array(end - start);
      await file.read(bytes, 0, bytes.length, start);
      return bytes;
    });
  } finally {
    await file.close();
  }
}

async function getFile(store: Store, key: string, path: string, sizeBytes: number): Promise<void> {
  writeFileSync(path, "");
  for (let start = 0; start < sizeBytes; start += READ_BYTES) {
    await appendFile(path, await readObject(store, key, start, Math.min(start + READ_BYTES, sizeBytes)));
  }
}

async function sumOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "backup-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
