import { existsSync } from "node:fs";
import { buildPages } from "./build.ts";
import { ensureDevVars } from "./dev-vars.ts";
import { migrateLocally } from "./local-database.ts";

/** Where `wrangler dev` keeps its data unless it is told otherwise. */
const STATE = ".wrangler/state";

/**
 * `npm run build`, and what wrangler runs before it bundles the Worker (`[build]` in wrangler.toml), also after each change.
 * Wrangler says in WRANGLER_COMMAND what it bundles for. The pages are needed always; `wrangler dev` needs secrets and a
 * database too.
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
// `wrangler types` reads sources alone.
if (WRANGLER_COMMAND !== "types") buildPages();
