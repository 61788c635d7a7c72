import { randomBytes } from "node:crypto";
import { AwsClient } from "aws4fetch";
import { answer, DeployError, type Question, type Terminal } from "./terminal.ts";

/** Every secret, in the order of .dev.vars.example. */
export const SECRETS = [
  "BETTER_AUTH_SECRET",
  "ADMIN_USERNAME",
  "ADMIN_PASSWORD",
  "S3_ACCESS_KEY_ID",
  "S3_SECRET_ACCESS_KEY",
  "RESEND_API_KEY",
  "STRIPE_SECRET_KEY",
  "STRIPE_PUBLISHABLE_KEY",
  "STRIPE_WEBHOOK_SECRET",
] as const;

/** Those that only make sense together, and are asked for together. */
const PAIRS = [
  ["ADMIN_USERNAME", "ADMIN_PASSWORD"],
  ["S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"],
  ["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"],
];

/**
 * Which secrets have to be asked for. Payments may be left for later: they are asked about once, in the first run.
 * @param stored the names that Cloudflare has
 * @param renewed the names that are to be replaced
 */
export function missingSecrets(stored: Set<string>, renewed: string[], vars: Record<string, string>): Set<string> {
  const stranger = renewed.find((name) => !(SECRETS as readonly string[]).includes(name));
  if (stranger !== undefined) throw new DeployError(`${stranger} is no secret. There are: ${SECRETS.join(", ")}.`);
  const isFirst = !stored.has("BETTER_AUTH_SECRET");
  const isNeeded = (name: string) => {
    if (name === "RESEND_API_KEY") return vars.MAIL_TRANSPORT === "resend";
    return !name.startsWith("STRIPE_") || isFirst;
  };
  const missing = new Set<string>([...SECRETS.filter((name) => isNeeded(name) && !stored.has(name)), ...renewed]);
  for (const pair of PAIRS) if (pair.some((name) => missing.has(name))) pair.forEach((name) => missing.add(name));
  return missing;
}

/** What asking for secrets leans on. */
export interface SecretsContext {
  terminal: Terminal;
  env: NodeJS.ProcessEnv;
  accountId: string;
  /** Every setting that is not secret. */
  vars: Record<string, string>;
  /**
   * Makes the Stripe account behind a key sell the plans.
   * @returns the webhook's secret; null where Stripe showed it earlier and will not again
   */
  setUpStripe: (secretKey: string) => Promise<string | null>;
}

/**
 * Asks for secrets, or makes them up where nobody needs to choose.
 * @returns their values; those left empty are not among them
 * @throws DeployError where one is needed and nobody can be asked, or a key opens nothing
 */
export async function askForSecrets(context: SecretsContext, missing: Set<string>): Promise<Record<string, string>> {
  const values = new Map<string, string>();
  if (missing.has("BETTER_AUTH_SECRET")) values.set("BETTER_AUTH_SECRET", randomBytes(32).toString("base64url"));
  if (missing.has("ADMIN_PASSWORD")) await askForAdministrator(context, values);
  if (missing.has("S3_ACCESS_KEY_ID")) await askForStorageKeys(context, values);
  if (missing.has("RESEND_API_KEY")) values.set("RESEND_API_KEY", await ask(context, RESEND_KEY));
  if (missing.has("STRIPE_SECRET_KEY")) await askForStripeKeys(context, values);
  return Object.fromEntries([...values].filter(([, value]) => value !== ""));
}

function ask({ terminal, env }: SecretsContext, question: Question): Promise<string> {
  return answer(terminal, env, question);
}

const RESEND_KEY: Question = {
  name: "RESEND_API_KEY",
  text: "Resend's API key, which mail is sent with.",
  isSecret: true,
};

async function askForAdministrator(context: SecretsContext, values: Map<string, string>): Promise<void> {
  const username = await ask(context, {
    name: "ADMIN_USERNAME",
    text: "The first administrator's name, for /admin.",
    fallback: "admin",
  });
  // One that is made up is shown, and without a terminal it would be shown to whoever may read the job's log.
  const mayMakeUp = context.terminal.isInteractive;
  const chosen = await ask(context, {
    name: "ADMIN_PASSWORD",
    isSecret: true,
    ...(mayMakeUp && { fallback: "" }),
    text: `Their password, at least 8 characters.${mayMakeUp ? " Leave it empty to get one made up." : ""}`,
    check: (password) => (password === "" || password.length >= 8 ? null : "it is shorter than 8 characters."),
  });
  const password = chosen || randomBytes(12).toString("base64url");
  values.set("ADMIN_USERNAME", username).set("ADMIN_PASSWORD", password);
  if (chosen === "") context.terminal.print(`\n  Write this down, it is shown once: ${username} / ${password}\n`);
}

async function askForStorageKeys(context: SecretsContext, values: Map<string, string>): Promise<void> {
  const { terminal, accountId, vars } = context;
  terminal.print(
    `\nUploads are signed with an R2 API token of their own. Make one at https://dash.cloudflare.com/${accountId}/r2/api-tokens:` +
      `\n"Object Read & Write" on the bucket ${vars.S3_BUCKET ?? ""} alone. It shows two keys, once.`,
  );
  for (;;) {
    const accessKeyId = await ask(context, { name: "S3_ACCESS_KEY_ID", text: "Its Access Key ID." });
    const secretAccessKey = await ask(context, {
      name: "S3_SECRET_ACCESS_KEY",
      text: "Its Secret Access Key.",
      isSecret: true,
    });
    const fault = await storageFault(vars, { accessKeyId, secretAccessKey });
    values.set("S3_ACCESS_KEY_ID", accessKeyId).set("S3_SECRET_ACCESS_KEY", secretAccessKey);
    if (fault === null) return;
    if (!terminal.isInteractive || context.env.S3_ACCESS_KEY_ID) throw new DeployError(fault);
    terminal.print(`  ${fault}`);
  }
}

/** Whether the keys open the bucket: what is wrong with them, or null. */
async function storageFault(
  { S3_ENDPOINT = "", S3_BUCKET = "" }: Record<string, string>,
  keys: { accessKeyId: string; secretAccessKey: string },
): Promise<string | null> {
  const client = new AwsClient({ ...keys, service: "s3", region: "auto", retries: 0 });
  const url = `${S3_ENDPOINT}/${S3_BUCKET}?list-type=2&max-keys=1`;
  const status = await client.fetch(url).then(
    (response) => response.status,
    () => 0,
  );
  if (status === 200) return null;
  if (status === 0) return `The store at ${S3_ENDPOINT} cannot be reached. Check the network, and run this again.`;
  return `The store does not open ${S3_BUCKET} to these keys (it answers ${status}). Check both, and what the token may do.`;
}

async function askForStripeKeys(context: SecretsContext, values: Map<string, string>): Promise<void> {
  const secretKey = await ask(context, {
    name: "STRIPE_SECRET_KEY",
    text: "Stripe's secret key. Leave it empty to sell no plans for now.",
    fallback: "",
    isSecret: true,
  });
  if (secretKey === "") return;
  const publishableKey = await ask(context, {
    name: "STRIPE_PUBLISHABLE_KEY",
    text: "Stripe's publishable key. It may be left empty.",
    fallback: "",
  });
  context.terminal.print("Setting up Stripe: products, prices, billing portal and webhook.");
  const made = await context.setUpStripe(secretKey);
  const webhookSecret =
    made ??
    (await ask(context, {
      name: "STRIPE_WEBHOOK_SECRET",
      isSecret: true,
      text: "The webhook was there already. Its signing secret, which Stripe's dashboard shows at the webhook.",
    }));
  values.set("STRIPE_SECRET_KEY", secretKey).set("STRIPE_PUBLISHABLE_KEY", publishableKey);
  values.set("STRIPE_WEBHOOK_SECRET", webhookSecret);
}
