import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { wranglerEnv } from "./wrangler-env.ts";

/**
 * Applies the migrations to a local database, unless the same migrations have been applied already.
 * @param persistTo the local system's data folder
 * @returns whether any were applied
 * @throws Error with wrangler's output
 */
export function migrateLocally(persistTo: string): boolean {
  const applied = join(persistTo, "migrations-applied");
  const isThere = existsSync(join(persistTo, "v3/d1")) && existsSync(applied);
  const hash = hashMigrations();
  if (isThere && readFileSync(applied, "utf8") === hash) return false;
  const command = ["d1", "migrations", "apply", "DB", "--local", "--persist-to", persistTo];
  const { status, stdout, stderr } = spawnSync("wrangler", command, { env: wranglerEnv, encoding: "utf8" });
  if (status !== 0) throw new Error(`The migrations could not be applied.\n${stdout}${stderr}`);
  mkdirSync(persistTo, { recursive: true });
  writeFileSync(applied, hash);
  return true;
}

function hashMigrations(): string {
  const hash = createHash("sha256");
  for (const file of globSync("migrations/*.sql").sort()) hash.update(file).update(readFileSync(file));
  return hash.digest("hex");
}
