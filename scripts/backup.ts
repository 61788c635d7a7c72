import { parseArgs } from "node:util";
import * as z from "zod/mini";
import { formatBytes } from "#domain/units.ts";
import { exportDatabase, restoreDatabase, type Target } from "./backup/database.ts";
import { copyObjects, openStore } from "./backup/objects.ts";
import { CONFIG_FILE, readFileOrEmpty, readProject } from "./deploy/config.ts";
import { explain, WranglerFailure, wranglerWith } from "./deploy/wrangler.ts";
import { wranglerEnv } from "./wrangler-env.ts";

/**
 * `npm run backup`: exports the database to another bucket, and copies the objects that the other bucket lacks. `npm
 * run backup -- restore [MOMENT] --database NAME`: copies the other way, and imports the newest export, or the one of
 * that moment, into an empty database. Both commands can be stopped and repeated. See docs/operations.md. The buckets'
 * keys come from the environment.
 */
try {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { database: { type: "string" } } });
  const [command = "backup", moment = null] = positionals;
  if (command !== "backup" && command !== "restore") throw new Error("Give `restore`, or nothing for a backup.");
  if (command === "restore" && !values.database) throw new Error("Give the empty database: --database NAME");
  await (command === "backup" ? backUp() : restore(targetOf(values.database), moment));
} catch (error) {
  console.error(error instanceof WranglerFailure ? explain(error) : error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function backUp(): Promise<void> {
  const { live, copy } = stores();
  // The database is exported before the objects are copied, so that the copy has the objects of all exported rows.
  const pieces = await exportDatabase(targetOf(readProject().database), copy, new Date().toISOString());
  console.log(`The database is exported, in ${pieces} pieces.`);
  const { copied, copiedBytes, there, deleted } = await copyObjects(live, copy, { deletesGone: true });
  console.log(`${copied} objects copied (${formatBytes(copiedBytes)}), ${there} were there, ${deleted} are gone.`);
}

async function restore(target: Target, moment: string | null): Promise<void> {
  const { live, copy } = stores();
  const { copied, there } = await copyObjects(copy, live, { deletesGone: false });
  console.log(`${copied} objects copied back, ${there} were there.`);
  console.log(`The database is as it was at ${await restoreDatabase(target, copy, moment)}.`);
}

function targetOf(database = ""): Target {
  return { wrangler: wranglerWith(wranglerEnv), database, options: ["--remote", "--config", CONFIG_FILE] };
}

function stores() {
  const written = readFileOrEmpty(CONFIG_FILE);
  if (written === "") throw new Error(`There is no ${CONFIG_FILE}: run \`npm run deploy\` here once.`);
  const { vars } = z.object({ vars: z.record(z.string(), z.string()) }).parse(JSON.parse(written));
  const of = (name: string) => {
    const value = process.env[name] || vars[name];
    if (!value) throw new Error(`Set ${name}: docs/operations.md, "Back up and restore".`);
    return value;
  };
  const openAt = (start: "" | "BACKUP_") =>
    openStore(
      of(`${start}S3_ENDPOINT`),
      of(`${start}S3_BUCKET`),
      of(`${start}S3_ACCESS_KEY_ID`),
      of(`${start}S3_SECRET_ACCESS_KEY`),
    );
  return { live: openAt(""), copy: openAt("BACKUP_") };
}
