// @module-tag long
import { execFile } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CONFIG_FILE, productionConfig, readProject } from "../../scripts/deploy/config.ts";
import { writeConfig } from "../../scripts/wrangler-config.ts";
import { wranglerEnv } from "../../scripts/wrangler-env.ts";

/** Values that a dump must quote, encode or keep. */
const TRICKY = `it's "quoted"; -- no comment\n\t\\ ? \u{1F98B} é'); DROP TABLE users;`;
const LARGE = 9_007_199_254_740_991;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "backup-"));
});
afterAll(() => {
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

describe("a backup", () => {
  it("restored into a new database has the same tables, indexes and rows", async () => {
    const [old, fresh] = [place("old"), place("fresh")];
    await old.d1("migrations", "apply", "mayfly");
    const before = old.open();
    addRow(before, "users", { id: "user", email: "ann@example.com" });
    addRow(before, "accounts", { id: "account", user_id: "user" });
    addRow(before, "sessions", { id: "session", user_id: "user", user_agent: TRICKY });
    addRow(before, "files", { id: "file", user_id: "user", expiration: "3d" });
    addRow(before, "contact_submissions", { id: "message", message: TRICKY.repeat(200) });
    const expected = contentOf(before);
    before.close();

    // A single file writes rows before the tables that they refer to, which D1 rejects.
    const [schemaFile, rowsFile] = [join(folder, "schema.sql"), join(folder, "rows.sql")];
    await old.d1("export", "mayfly", "--no-data", "--output", schemaFile);
    await old.d1("export", "mayfly", "--no-schema", "--output", rowsFile);
    for (const file of [schemaFile, rowsFile]) await fresh.d1("execute", "mayfly", "--yes", "--file", file);
    const after = fresh.open();
    const { schema, rows } = contentOf(after);
    expect(after.prepare("pragma foreign_key_check").all()).toEqual([]);
    after.close();
    expect(rows).toEqual(expected.rows);
    expect(schema).toEqual(expected.schema);
    expect(rows.page_content?.length).toBeGreaterThan(0);

    // The next upgrade must find every migration applied.
    const { stdout } = await fresh.d1("migrations", "apply", "mayfly");
    expect(stdout).toContain("No migrations to apply");
  }, 180_000);
});
