// @module-tag long
import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { globSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { DeleteObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CONFIG_FILE, productionConfig, readProject } from "../../scripts/deploy/config.ts";
import { exportDatabase, listExports, restoreDatabase, type Target } from "../../scripts/backup/database.ts";
import { copyObjects, listObjects, openStore, readObject, type Store } from "../../scripts/backup/objects.ts";
import { wranglerWith } from "../../scripts/deploy/wrangler.ts";
import { prepareServer, type LocalServer } from "../../scripts/local-server.ts";
import { writeConfig } from "../../scripts/wrangler-config.ts";
import { wranglerEnv } from "../../scripts/wrangler-env.ts";
import { newKey } from "#test/support/cli/program.ts";
import { Front } from "#test/support/front.ts";

/** Values that a dump must quote, encode or keep. */
const TRICKY = `it's "quoted"; -- no comment\n\t\\ ? \u{1F98B} é'); DROP TABLE users;`;
const LARGE = 9_007_199_254_740_991;

const MOMENT = "2026-11-28T03:00:00.000Z";
const KEYS = { accessKeyId: "mayfly-local", secretAccessKey: "mayfly-local-secret" };
/** The least that the store takes as a part. */
const PART_BYTES = 5 * 1024 * 1024;

let folder: string;
let server: LocalServer;
/** In front of the bucket that is copied to. */
const front = new Front();
let live: Store;
let copy: Store;
let restored: Store;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "backup-"));
  const local_dev = { experimental_s3_credentials: KEYS };
  const others = ["copy", "restored"].map((bucket_name) => ({ binding: bucket_name, bucket_name, local_dev }));
  server = await prepareServer({
    adapt: (config) => ({ ...config, r2_buckets: [...(config.r2_buckets ?? []), ...others] }),
  });
  await server.start();
  front.targetPort = Number(new URL(server.origin).port);
  const at = (origin: string, bucket: string) =>
    openStore(`${origin}/cdn-cgi/local/r2/s3`, bucket, KEYS.accessKeyId, KEYS.secretAccessKey);
  live = at(server.origin, "mayfly");
  copy = at(await front.listen(), "copy");
  restored = at(server.origin, "restored");
}, 480_000);
afterAll(async () => {
  front.close();
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** A local D1 in its own folder, with wrangler's `d1` commands. */
function place(name: string) {
  const own = join(folder, name);
  mkdirSync(own);
  const config = writeConfig(
    own,
    CONFIG_FILE,
    productionConfig(readProject(), "mayfly", { APP_ORIGIN: "https://files.example.com" }),
  );
  const env = { ...wranglerEnv, WRANGLER_LOG_PATH: join(folder, "logs") };
  return {
    d1: (...args: string[]) => promisify(execFile)("wrangler", ["d1", ...args, "--local", "--config", config], { env }),
    target: { wrangler: wranglerWith(env), database: "mayfly", options: ["--local", "--config", config] },
    open: () => {
      const files = globSync(join(own, ".wrangler/state/v3/d1/*/*.sqlite"));
      const [file] = files.filter((path) => !path.endsWith("metadata.sqlite"));
      return new DatabaseSync(file ?? "");
    },
  };
}

/** Adds a row; required columns without a value get tricky values of their type. */
function addRow(database: DatabaseSync, table: string, values: Record<string, string | number | null>): void {
  const columns = database.prepare(
    `select name, type from pragma_table_info(?) where "notnull" and dflt_value is null`,
  );
  const row = { ...values };
  for (const { name, type } of columns.all(table)) {
    row[String(name)] ??= String(type).toLowerCase() === "integer" ? LARGE : TRICKY;
  }
  const names = Object.keys(row);
  const marks = names.map(() => "?").join(", ");
  database.prepare(`insert into ${table} (${names.join(", ")}) values (${marks})`).run(...Object.values(row));
}

/** Tables, indexes, triggers and all rows of a database. */
function contentOf(database: DatabaseSync) {
  const ours = "name not like 'sqlite\\_%' escape '\\' and name not like '\\_cf\\_%' escape '\\'";
  const schema = database.prepare(`select type, name, sql from sqlite_master where ${ours} order by type, name`).all();
  const tables = schema.filter(({ type }) => type === "table").map(({ name }) => String(name));
  const rows = tables.map((table) => [table, database.prepare(`select * from "${table}" order by 1`).all()]);
  return { schema, rows: Object.fromEntries(rows) as Record<string, object[]> };
}

/** Fails at the call of that number, as when somebody stops the restore. */
function stoppedAt(target: Target, last: number): Target {
  let calls = 0;
  return {
    ...target,
    wrangler: (...args) => ((calls += 1) === last ? Promise.reject(new Error("stopped")) : target.wrangler(...args)),
  };
}

async function contents(store: Store, prefix?: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { key, sizeBytes } of listObjects(store, prefix)) {
    found[key] = createHash("sha256")
      .update(await readObject(store, key, 0, sizeBytes))
      .digest("hex");
  }
  return found;
}

describe("a backup of the database", () => {
  it("comes back in pieces, also after an interruption, with the same tables, indexes, triggers and rows [OPS-6]", async () => {
    const [old, fresh] = [place("old"), place("fresh")];
    await old.d1("migrations", "apply", "mayfly");
    const before = old.open();
    addRow(before, "users", { id: "user", email: "ann@example.com" });
    addRow(before, "accounts", { id: "account", user_id: "user" });
    addRow(before, "sessions", { id: "session", user_id: "user", user_agent: TRICKY });
    addRow(before, "files", { id: "file", user_id: "user", expiration: "3d" });
    before.exec("update files set status = 'ready', uploaded_at = 1, etag = 'e'");
    for (const id of ["one", "two", "three"])
      addRow(before, "contact_submissions", { id, message: TRICKY.repeat(200) });
    const expected = contentOf(before);
    before.close();

    const pieces = await exportDatabase(old.target, copy, MOMENT, 15_000);
    const exported = Object.keys(await contents(copy, "database/"));
    expect(exported).toHaveLength(pieces + 1);
    expect(exported.filter((key) => key.includes("contact_submissions"))).toHaveLength(3);
    // A call looks at the database; then each piece is one.
    await expect(restoreDatabase(stoppedAt(fresh.target, 4), copy, null)).rejects.toThrow("stopped");
    expect(await restoreDatabase(fresh.target, copy, null)).toBe(MOMENT);
    const after = fresh.open();
    const { schema, rows } = contentOf(after);
    expect(after.prepare("pragma foreign_key_check").all()).toEqual([]);
    after.close();
    expect(rows).toEqual(expected.rows);
    expect(schema).toEqual(expected.schema);
    expect(rows.file_counts).toEqual([{ user_id: "user", listed: 1, stored: 1, stored_bytes: LARGE }]);
    expect(rows.page_content?.length).toBeGreaterThan(0);

    // The next upgrade must find every migration applied.
    const { stdout } = await fresh.d1("migrations", "apply", "mayfly");
    expect(stdout).toContain("No migrations to apply");

    await expect(restoreDatabase(fresh.target, copy, null)).rejects.toThrow(
      'The database "mayfly" is not empty. Restore into a new one.',
    );
    await expect(restoreDatabase(fresh.target, copy, "2020")).rejects.toThrow(`There are: ${MOMENT}.`);
  }, 480_000);

  it("is one of the last seven, and none without its manifest [OPS-6]", async () => {
    const put = (moment: string, name: string) =>
      copy.client.send(new PutObjectCommand({ Bucket: "copy", Key: `database/${moment}/${name}`, Body: "{}" }));
    for (const day of ["01", "02", "03", "04", "05", "06", "07"]) await put(`2026-10-${day}`, "manifest.json");
    await put("2026-10-01", "000-schema.sql");
    await put("2026-10-02-interrupted", "000-schema.sql");
    const small = place("small");
    await small.d1("execute", "mayfly", "--command", "create table one (id text)");
    await exportDatabase(small.target, copy, "2026-12-01");
    const kept = ["2026-10-03", "2026-10-04", "2026-10-05", "2026-10-06", "2026-10-07", MOMENT, "2026-12-01"];
    expect(await listExports(copy)).toEqual(kept);
    expect(Object.keys(await contents(copy, "database/2026-10-0")).map((key) => key.split("/")[1])).toEqual(
      kept.slice(0, 5),
    );
  }, 240_000);
});

describe("a copy of the bucket", () => {
  it("has every file, takes only what is missing, and loses what is gone [OPS-6]", async () => {
    const { key } = await newKey(server.origin);
    const authorization = `Bearer ${key}`;
    const send = async (sizeBytes: number) => {
      const headers = { authorization, accept: "application/json" };
      const sent = await fetch(`${server.origin}/a.bin`, { method: "PUT", headers, body: randomBytes(sizeBytes) });
      const { id } = (await sent.json()) as { id: string };
      return id;
    };
    const sent = [await send(0), await send(1), await send(12 * 1024 * 1024), await send(300_000), await send(5)];
    await live.client.send(new PutObjectCommand({ Bucket: "mayfly", Key: "incoming/unfinished", Body: "x" }));

    let puts = 0;
    front.spoiling = {
      instead: ({ method }) => (method === "PUT" && (puts += 1) > 2 ? { status: 403, headers: {} } : null),
    };
    const options = { deletesGone: true, partBytes: PART_BYTES };
    await expect(copyObjects(live, copy, options)).rejects.toThrow();
    front.spoiling = {};
    const resumed = await copyObjects(live, copy, options);
    expect(resumed.copied).toBeLessThan(5);
    expect(resumed).toMatchObject({ there: 5 - resumed.copied, deleted: 0 });
    expect(await copyObjects(live, copy, options)).toEqual({ copied: 0, copiedBytes: 0, there: 5, deleted: 0 });
    const files = await contents(live, "files/");
    expect(Object.keys(files)).toHaveLength(5);
    expect(await contents(copy, "files/")).toEqual(files);
    expect(await contents(copy, "incoming/")).toEqual({});

    await fetch(`${server.origin}/api/v1/transfers/${sent[0] ?? ""}`, { method: "DELETE", headers: { authorization } });
    await send(7);
    expect(await copyObjects(live, copy, options)).toEqual({ copied: 1, copiedBytes: 7, there: 4, deleted: 1 });

    const exports = await listExports(copy);
    expect(await copyObjects(copy, restored, { deletesGone: false })).toMatchObject({ copied: 5, deleted: 0 });
    expect(await contents(restored)).toEqual(await contents(live, "files/"));
    expect(await listExports(copy)).toEqual(exports);
  }, 240_000);

  it("is not emptied when the bucket is another one, or lost [OPS-6]", async () => {
    for await (const { key } of listObjects(restored)) {
      await restored.client.send(new DeleteObjectCommand({ Bucket: "restored", Key: key }));
    }
    const before = await contents(copy, "files/");
    await expect(copyObjects(restored, copy, { deletesGone: true })).rejects.toThrow(
      "The bucket restored is empty, and its copy is not. Nothing was deleted: check S3_BUCKET.",
    );
    expect(await contents(copy, "files/")).toEqual(before);
  });
});
