import { existsSync } from "node:fs";
import { buildPages } from "./build.ts";
import { ensureDevVars } from "./dev-vars.ts";
import { migrateLocally } from "./local-database.ts";

/** Default data folder of `wrangler dev`. */
const STATE = ".wrangler/state";

/**
 * `npm run build`, and wrangler's `[build]` command, which runs before each bundle. Wrangler sets WRANGLER_COMMAND.
 * Every command needs the pages; `wrangler dev` also needs secrets and a database.
 */
const { WRANGLER_COMMAND } = process.env;

if (WRANGLER_COMMAND === "dev") {
  const isFirst = !existsSync(".dev.vars");
  const { username, password } = ensureDevVars();
  if (isFirst) console.log(`Wrote .dev.vars. The administrator at /admin is ${username} / ${password}`);
  if (migrateLocally(STATE)) {
    console.log(
      `Applied the migrations to the database in ${STATE}. With --persist-to DIR, apply them there first: ` +
        "npx wrangler d1 migrations apply DB --local --persist-to DIR",
    );
  }
}
// `wrangler types` needs only the sources.
if (WRANGLER_COMMAND !== "types") buildPages();
