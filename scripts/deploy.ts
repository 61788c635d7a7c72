import { parseArgs } from "node:util";
import { setUpStripe, stripeClient } from "./stripe-setup.ts";
import { buildPages } from "./build.ts";
import { readProject } from "./deploy/config.ts";
import { deploy } from "./deploy/run.ts";
import { DeployError, processTerminal } from "./deploy/terminal.ts";
import { explain, WranglerFailure, wranglerWith } from "./deploy/wrangler.ts";
import { wranglerEnv } from "./wrangler-env.ts";

/**
 * Puts Mayfly onto Cloudflare, or the newer one in the place of the older: `npm run deploy`. It may be run at any time.
 * `--renew NAME` asks for a secret again, and may be given several times. `--new-database` allows an empty database beside
 * a bucket that is there already. Without a terminal, as in CI, it takes its answers from the environment and from what was
 * kept. docs/operations.md has more.
 */
try {
  const { values } = parseArgs({
    options: {
      renew: { type: "string", multiple: true, default: [] },
      "new-database": { type: "boolean", default: false },
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
    newDatabase: values["new-database"],
    setUpStripe: async (secretKey, origin, vars) => {
      const made = await setUpStripe(stripeClient(secretKey, vars.STRIPE_API_URL ?? ""), origin);
      return made.webhookSecret;
    },
  });
} catch (error) {
  console.error(`\n${inWords(error)}`);
  process.exitCode = 1;
}

function inWords(error: unknown): string {
  if (error instanceof WranglerFailure) return explain(error);
  if (error instanceof DeployError) return error.message;
  if (error instanceof Error && "code" in error && error.code === "ENOENT" && error.message.includes("wrangler")) {
    return "wrangler is not there. Start this as `npm run deploy`, after `npm install`.";
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
