import { parseArgs } from "node:util";
import { buildPages } from "./build.ts";
import { readProject } from "./deploy/config.ts";
import { readSavedSettings } from "./deploy/settings.ts";
import { answer, processTerminal } from "./deploy/terminal.ts";
import { wranglerWith } from "./deploy/wrangler.ts";
import { CHECKS, examine, type CheckName } from "./doctor/checks.ts";
import type { Site } from "./doctor/site.ts";
import { wranglerEnv } from "./wrangler-env.ts";

/**
 * `npm run doctor -- https://host [CHECK…]`: runs the checks of a first deployment against a live site, or only the
 * checks that are named, and prints a line for each check: what is well, or what is wrong and what to do. Answers to
 * questions come from the environment, or from the person. The exit code is 1 when something is wrong, and 2 when the
 * checks cannot run.
 */
const QUESTIONS: Record<Parameters<Site["ask"]>[0], { text: string; isSecret?: boolean }> = {
  MAYFLY_KEY: { text: "An API key of the site with the scopes upload and files:write.", isSecret: true },
  ADMIN_USERNAME: { text: "An administrator's name." },
  ADMIN_PASSWORD: { text: "The administrator's password.", isSecret: true },
  ADMIN_CODE: { text: "The code that the administrator's app shows." },
  CONTACT_EMAIL: { text: "Where the mail goes." },
};

const { positionals } = parseArgs({ allowPositionals: true });
const [address = "", ...named] = positionals;
const all = Object.keys(CHECKS) as CheckName[];
const chosen = named.length === 0 ? all : all.filter((name) => named.includes(name));
if (!URL.canParse(address) || chosen.length < named.length) {
  console.error(`Give the address of the site: npm run doctor -- https://host [CHECK…]. Checks: ${all.join(", ")}`);
  process.exit(2);
}
buildPages();
const terminal = processTerminal();
const saved = readSavedSettings(".");
const answers = new Map<string, Promise<string>>();
const site: Site = {
  origin: new URL(address).origin,
  wrangler: wranglerWith(wranglerEnv),
  bucket: { name: readProject().bucket, jurisdiction: saved.get("DATA_LOCATION") === "eu" ? "eu" : null },
  ask: (name) => {
    const known = answers.get(name);
    if (known) return known;
    const fallback = name === "CONTACT_EMAIL" ? saved.get(name) : undefined;
    const given = answer(terminal, process.env, { name, ...QUESTIONS[name], ...(fallback && { fallback }) });
    answers.set(name, given);
    return given;
  },
};
for (const name of chosen) {
  const faults = await examine(site, name);
  if (faults.length > 0) process.exitCode = 1;
  const lines =
    faults.length === 0
      ? [`ok     ${name}: ${CHECKS[name].expected}`]
      : faults.map((fault) => `wrong  ${name}: ${fault}`);
  for (const line of lines) console.log(line);
}
