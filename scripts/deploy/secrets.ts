import { randomBytes } from "node:crypto";
import { AwsClient } from "aws4fetch";
import { chooseTotpSecret } from "./second-factor.ts";
import { answer, DeployError, type Question, type Terminal } from "./terminal.ts";

/** Every secret, in the order of .dev.vars.example. */
export const SECRETS = [
  "BETTER_AUTH_SECRET",
  "DATA_KEY",
  "DATA_KEY_FORMER",
  "LOGIN_PROVIDERS",
  "ADMIN_USERNAME",
  "ADMIN_PASSWORD",
  "ADMIN_TOTP_SECRET",
  "S3_ACCESS_KEY_ID",
  "S3_SECRET_ACCESS_KEY",
  "RESEND_API_KEY",
  "SCANNER_KEY",
  "TURNSTILE_SECRET_KEY",
  "STRIPE_SECRET_KEY",
  "STRIPE_PUBLISHABLE_KEY",
  "STRIPE_WEBHOOK_SECRET",
] as const;

/** Secrets that belong together and are asked for together. */
const PAIRS = [
  ["ADMIN_USERNAME", "ADMIN_PASSWORD"],
  ["S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"],
  ["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"],
];

/**
 * Names the secrets to ask for. Secrets of payments may be left for later: only the first run asks for them.
 * @param stored names that Cloudflare has
 * @param renewed names to replace
 */
export function missingSecrets(stored: Set<string>, renewed: string[], vars: Record<string, string>): Set<string> {
  const unknownName = renewed.find((name) => !(SECRETS as readonly string[]).includes(name));
  if (unknownName !== undefined)
    throw new DeployError(`${unknownName} is not a secret. The secrets are: ${SECRETS.join(", ")}.`);
  const isFirst = !stored.has("BETTER_AUTH_SECRET");
  const isNeeded = (name: string) => {
    if (name === "DATA_KEY_FORMER") return renewed.includes("DATA_KEY");
    // Nobody is asked for these: `--renew LOGIN_PROVIDERS` sets them.
    if (name === "LOGIN_PROVIDERS" || name === "SCANNER_KEY") return false;
    if (name === "TURNSTILE_SECRET_KEY") return (vars.TURNSTILE_SITE_KEY ?? "") !== "";
    if (name === "ADMIN_TOTP_SECRET") return vars.ADMIN_SECOND_FACTOR === "required";
    if (name === "RESEND_API_KEY") return vars.MAIL_TRANSPORT === "resend";
    return !name.startsWith("STRIPE_") || isFirst;
  };
  const missing = new Set<string>([...SECRETS.filter((name) => isNeeded(name) && !stored.has(name)), ...renewed]);
  for (const pair of PAIRS) if (pair.some((name) => missing.has(name))) pair.forEach((name) => missing.add(name));
  return missing;
}

export interface SecretsContext {
  terminal: Terminal;
  env: NodeJS.ProcessEnv;
  accountId: string;
  vars: Record<string, string>;
  /**
   * Sets up the Stripe account of a key.
   * @returns the webhook's secret; null if the webhook existed, since Stripe shows a secret only once
   */
  setUpStripe: (secretKey: string) => Promise<string | null>;
}

/**
 * Asks for secrets, or generates them.
 * @returns the secrets' values, without secrets that were left empty
 * @throws DeployError when a secret is missing and there is no terminal, or a key does not work
 */
export async function askForSecrets(context: SecretsContext, missing: Set<string>): Promise<Record<string, string>> {
  const values = new Map<string, string>();
  if (missing.has("BETTER_AUTH_SECRET")) values.set("BETTER_AUTH_SECRET", randomSecret());
  if (missing.has("DATA_KEY")) values.set("DATA_KEY", await chooseDataKey(context));
  if (missing.has("DATA_KEY_FORMER")) values.set("DATA_KEY_FORMER", await ask(context, FORMER_DATA_KEY));
  if (missing.has("LOGIN_PROVIDERS")) values.set("LOGIN_PROVIDERS", await ask(context, LOGIN_PROVIDERS));
  if (missing.has("ADMIN_PASSWORD")) await askForAdministrator(context, values);
  if (missing.has("ADMIN_TOTP_SECRET")) {
    const username = values.get("ADMIN_USERNAME") ?? "administrator";
    values.set("ADMIN_TOTP_SECRET", await chooseTotpSecret(context.terminal, context.env, username));
  }
  if (missing.has("S3_ACCESS_KEY_ID")) await askForStorageKeys(context, values);
  if (missing.has("RESEND_API_KEY")) values.set("RESEND_API_KEY", await ask(context, RESEND_KEY));
  if (missing.has("SCANNER_KEY")) values.set("SCANNER_KEY", await ask(context, SCANNER_KEY));
  if (missing.has("TURNSTILE_SECRET_KEY")) values.set("TURNSTILE_SECRET_KEY", await ask(context, TURNSTILE_KEY));
  if (missing.has("STRIPE_SECRET_KEY")) await askForStripeKeys(context, values);
  return Object.fromEntries([...values].filter(([, value]) => value !== ""));
}

function ask({ terminal, env }: SecretsContext, question: Question): Promise<string> {
  return answer(terminal, env, question);
}

function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}

const checkDataKey = (key: string) => (key === "" || key.length >= 32 ? null : "it is shorter than 32 characters.");

/** Nobody is asked for the data key: whoever wants to keep a copy sets the key in the environment. */
function chooseDataKey({ terminal, env }: SecretsContext): Promise<string> {
  return answer({ ...terminal, isInteractive: false }, env, {
    name: "DATA_KEY",
    text: "Seals secrets that have to be read back.",
    fallback: randomSecret(),
    check: checkDataKey,
  });
}

const FORMER_DATA_KEY: Question = {
  name: "DATA_KEY_FORMER",
  text: "The DATA_KEY until now, so that webhooks go on. Leave it empty if you have no copy.",
  fallback: "",
  isSecret: true,
  check: checkDataKey,
};

const LOGIN_PROVIDERS: Question = {
  name: "LOGIN_PROVIDERS",
  text: "Other providers that sign people in, as a JSON array (docs/operations.md).",
  fallback: "",
  isSecret: true,
};

const RESEND_KEY: Question = {
  name: "RESEND_API_KEY",
  text: "The API key of Resend, which sends the mails.",
  isSecret: true,
};

const SCANNER_KEY: Question = {
  name: "SCANNER_KEY",
  text: "The key that the virus scanner asks for, if SCANNER is an https:// address. Leave it empty for none.",
  fallback: "",
  isSecret: true,
};

const TURNSTILE_KEY: Question = {
  name: "TURNSTILE_SECRET_KEY",
  text: "Turnstile's secret key, which belongs to TURNSTILE_SITE_KEY.",
  isSecret: true,
};

async function askForAdministrator(context: SecretsContext, values: Map<string, string>): Promise<void> {
  const username = await ask(context, {
    name: "ADMIN_USERNAME",
    text: "The first administrator's name, for the login at /admin.",
    fallback: "admin",
  });
  // A generated password is printed, so without a terminal the password would end up in the job's log.
  const canGenerate = context.terminal.isInteractive;
  const entered = await ask(context, {
    name: "ADMIN_PASSWORD",
    isSecret: true,
    ...(canGenerate && { fallback: "" }),
    text: `The first administrator's password, at least 8 characters.${canGenerate ? " Leave it empty to generate one." : ""}`,
    check: (password) => (password === "" || password.length >= 8 ? null : "it is shorter than 8 characters."),
  });
  const password = entered || randomBytes(12).toString("base64url");
  values.set("ADMIN_USERNAME", username).set("ADMIN_PASSWORD", password);
  if (entered === "")
    context.terminal.print(`\n  Write this down, because it is shown only once: ${username} / ${password}\n`);
}

async function askForStorageKeys(context: SecretsContext, values: Map<string, string>): Promise<void> {
  const { terminal, accountId, vars } = context;
  terminal.print(
    `\nUploads need their own R2 API token. Create one at https://dash.cloudflare.com/${accountId}/r2/api-tokens` +
      `\nwith the permission "Object Read & Write" for the bucket ${vars.S3_BUCKET ?? ""} only. Its two keys are shown only once.`,
  );
  for (;;) {
    const accessKeyId = await ask(context, { name: "S3_ACCESS_KEY_ID", text: "The token's Access Key ID." });
    const secretAccessKey = await ask(context, {
      name: "S3_SECRET_ACCESS_KEY",
      text: "The token's Secret Access Key.",
      isSecret: true,
    });
    const problem = await checkStorageKeys(vars, { accessKeyId, secretAccessKey });
    values.set("S3_ACCESS_KEY_ID", accessKeyId).set("S3_SECRET_ACCESS_KEY", secretAccessKey);
    if (problem === null) return;
    if (!terminal.isInteractive || context.env.S3_ACCESS_KEY_ID) throw new DeployError(problem);
    terminal.print(`  ${problem}`);
  }
}

/** Tests the keys against the bucket. @returns the error message, or null */
async function checkStorageKeys(
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
  return `These keys do not open the bucket ${S3_BUCKET} (status ${status}). Check both keys and the token's permissions.`;
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
      text: "The webhook already exists. Enter its signing secret from Stripe's dashboard.",
    }));
  values.set("STRIPE_SECRET_KEY", secretKey).set("STRIPE_PUBLISHABLE_KEY", publishableKey);
  values.set("STRIPE_WEBHOOK_SECRET", webhookSecret);
}
