import { parseArgs } from "node:util";
import { setUpStripe, stripeClient } from "./stripe-setup.ts";
import { buildPages } from "./build.ts";
import { readProject } from "./deploy/config.ts";
import { deploy } from "./deploy/run.ts";
import { DeployError, processTerminal } from "./deploy/terminal.ts";
import { explain, WranglerFailure, wranglerWith } from "./deploy/wrangler.ts";
import { wranglerEnv } from "./wrangler-env.ts";

/**
 * `npm run deploy`: deploys to Cloudflare, or upgrades. Safe to run again at any time.
 * `--renew NAME` (repeatable) asks for a secret again. `--new-database` allows an empty database beside an existing
 * bucket. `--without-former` keeps no files of former releases. Without a terminal (CI), answers come from the
 * environment and from .deploy.vars. See docs/operations.md.
 */
try {
  const { values } = parseArgs({
    options: {
      renew: { type: "string", multiple: true, default: [] },
      "new-database": { type: "boolean", default: false },
      "without-former": { type: "boolean", default: false },
    },
  });
  await deploy({
    terminal: processTerminal(),
    env: process.env,
    connect: (accountId) => wranglerWith({ ...wranglerEnv, ...(accountId && { CLOUDFLARE_ACCOUNT_ID: accountId }) }),
    project: readProject(),
    folder: ".",
    renewed: values.renew,
    build: buildPages,
    siteAt: (origin) => origin,
    newDatabase: values["new-database"],
    withoutFormer: values["without-former"],
    setUpStripe: async (secretKey, origin, vars) => {
      const made = await setUpStripe(stripeClient(secretKey, vars.STRIPE_API_URL ?? ""), origin);
      return made.webhookSecret;
    },
  });
} catch (error) {
  console.error(`\n${describeError(error)}`);
  process.exitCode = 1;
}

function describeError(error: unknown): string {
  if (error instanceof WranglerFailure) return explain(error);
  if (error instanceof DeployError) return error.message;
  if (error instanceof Error && "code" in error && error.code === "ENOENT" && error.message.includes("wrangler")) {
    return "wrangler is not installed. Run `npm install`, then `npm run deploy`.";
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
