import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import * as z from "zod/mini";
import { corsRule, LIFECYCLE_RULES } from "#worker/storage/bucket-rules.ts";
import { writeConfig } from "../wrangler-config.ts";
import { CONFIG_FILE, productionConfig, readFileOrEmpty, type Project } from "./config.ts";
import { gatherFiles } from "./former-files.ts";
import { confirmPlan, isSet, type Survey } from "./plan.ts";
import { decideSecondFactor } from "./second-factor.ts";
import { askForSecrets, missingSecrets } from "./secrets.ts";
import { collectSettings, SETTINGS_FILE, varsOf } from "./settings.ts";
import { checkSettings } from "./check.ts";
import { DeployError, type Terminal } from "./terminal.ts";
import { prepareZone } from "./zone.ts";
import {
  NO_SUCH_BUCKET,
  NO_SUCH_QUEUE,
  NO_SUCH_WORKER,
  throughPipe,
  WranglerFailure,
  type Wrangler,
} from "./wrangler.ts";

export interface Deployment {
  terminal: Terminal;
  connect: (accountId?: string) => Wrangler;
  /** The environment, which may answer questions; CLOUDFLARE_ACCOUNT_ID names the account. */
  env: NodeJS.ProcessEnv;
  project: Project;
  /** Folder of .deploy.vars and the derived configuration. */
  folder: string;
  renewed: string[];
  /** Whether an existing bucket may get an empty database. */
  newDatabase: boolean;
  /** Whether to keep no files of former releases. */
  withoutFormer: boolean;
  build: () => void;
  /** The address at which the site of an origin answers: the origin itself, except in tests. */
  siteAt: (origin: string) => string;
  setUpStripe: (secretKey: string, origin: string, vars: Record<string, string>) => Promise<string | null>;
}

/** The folder of the files that the deployment serves: files of the build, and of former releases. */
const FILES_FOLDER = "build/deployed";

/**
 * Deploys: creates what is missing, configures the bucket, asks for missing secrets, applies migrations and uploads the
 * Worker. Every step may be repeated, so another run completes an interrupted one.
 * @throws DeployError, WranglerFailure
 */
export async function deploy(deployment: Deployment): Promise<void> {
  const { terminal, env, project } = deployment;
  const accountId = await findAccount(deployment);
  // Every call of wrangler names the account, because wrangler remembers an account of its own choice.
  const wrangler = deployment.connect(accountId);
  const databaseFound = await findDatabase(wrangler, project.database);
  const collected = await collectSettings(deployment, { project, accountId, hasDatabase: databaseFound !== null });
  const location = varsOf(collected).DATA_LOCATION ?? "";
  if (databaseFound !== null) requireSameLocation(deployment.folder, location);
  const place = placeOf(location);
  const survey = { databaseId: databaseFound, ...(await lookAround(wrangler, project, place)) };
  requireBucketOfWorker(project, survey, location);
  const settings = await decideSecondFactor({ ...deployment, stored: survey.secrets }, collected);
  const vars = varsOf(settings);
  const origin = vars.APP_ORIGIN ?? "";
  const missing = missingSecrets(survey.secrets, deployment.renewed, vars);
  await confirmPlan({ ...deployment, settings, survey, missing });
  deployment.build();

  const databaseId = survey.databaseId ?? (await createDatabase(wrangler, deployment, place));
  await prepareBucket(wrangler, deployment, { survey, origin, place });
  for (const queue of survey.missingQueues) {
    terminal.print(`Creating the queue "${queue}".`);
    await wrangler(["queues", "create", queue, ...(location === "eu" ? ["--jurisdiction", "eu"] : [])]);
  }
  const setUpStripe = (key: string) => deployment.setUpStripe(key, origin, vars);
  const secrets = await askForSecrets({ terminal, env, accountId, vars, setUpStripe }, missing);
  checkSettings(vars, secrets, survey.secrets);
  const assets = { ...project.config.assets, directory: resolve(deployment.folder, FILES_FOLDER) };
  const derived = { ...productionConfig(project, databaseId, vars), assets };
  const config = writeConfig(deployment.folder, CONFIG_FILE, derived);
  // A new Worker gets its secrets at once, so that nobody is asked again after an interruption. For an existing Worker
  // each change of a secret makes a version, so the secrets go with the next version.
  const isNew = survey.secrets.size === 0;
  const values = Object.keys(secrets).length > 0 ? JSON.stringify(secrets) : null;
  if (isNew && values !== null) {
    terminal.print("Storing the secrets.");
    await wrangler(["secret", "bulk", "--config", config], { input: values });
  }
  terminal.print("Applying the migrations that the database does not have yet.");
  await wrangler(["d1", "migrations", "apply", project.database, "--remote", "--config", config]);
  await gatherFiles({
    // A Worker without secrets has no version yet, and something else may answer at its address.
    live: isNew || deployment.withoutFormer ? null : deployment.siteAt(origin),
    built: project.config.assets?.directory ?? "",
    folder: assets.directory,
    now: Date.now(),
    print: (line) => terminal.print(line),
  });
  terminal.print("Deploying the Worker.");
  const upload = (...options: string[]) =>
    wrangler(["deploy", "--config", config, ...options], { atTerminal: terminal.isInteractive });
  await (isNew || values === null ? upload() : throughPipe(values, (path) => upload("--secrets-file", path)));
  await prepareZone(terminal, env, origin);
  printNextSteps(terminal, origin, survey.secrets.has("STRIPE_SECRET_KEY") || "STRIPE_SECRET_KEY" in secrets);
}

const whoami = z.object({ accounts: z.array(z.object({ id: z.string(), name: z.string() })) });

/** @throws DeployError when the account is ambiguous */
async function findAccount({ connect, env, terminal }: Deployment): Promise<string> {
  const { accounts } = whoami.parse(JSON.parse(await connect()(["whoami", "--json"])));
  const wanted = env.CLOUDFLARE_ACCOUNT_ID;
  const [account, second] = wanted ? accounts.filter(({ id }) => id === wanted) : accounts;
  if (!account) {
    throw new DeployError(
      wanted
        ? `The credentials have no access to the account ${wanted}. Check CLOUDFLARE_ACCOUNT_ID and the token.`
        : "The credentials have access to no account. A token needs Account Settings (read).",
    );
  }
  if (second) {
    const list = accounts.map(({ id, name }) => `  ${id}  ${name}`).join("\n");
    throw new DeployError(`There are several accounts. Set CLOUDFLARE_ACCOUNT_ID to the one to deploy to:\n${list}`);
  }
  terminal.print(`Cloudflare account: ${account.name} (${account.id})`);
  return account.id;
}

const formerConfig = z.object({ vars: z.object({ DATA_LOCATION: z.optional(z.string()) }) });
const databases = z.array(z.object({ uuid: z.string(), name: z.string() }));
const secretNames = z.array(z.object({ name: z.string() }));

/** @throws DeployError when the setting differs from that of the last deployment from this folder */
function requireSameLocation(folder: string, location: string): void {
  const written = readFileOrEmpty(join(folder, CONFIG_FILE));
  const { DATA_LOCATION: former = "" } =
    written === "" ? { DATA_LOCATION: location } : formerConfig.parse(JSON.parse(written)).vars;
  if (former === location) return;
  throw new DeployError(
    `DATA_LOCATION was ${former || "empty"} in the last deployment, and is ${location || "empty"} now. Data cannot be ` +
      `moved: the Worker would find none of its uploads. Set it back in ${SETTINGS_FILE}.`,
  );
}

/**
 * Stops when the bucket of a deployed Worker seems to be missing. DATA_LOCATION may be wrong: a bucket is not found from
 * another jurisdiction, and a second bucket would be made. A Worker that has secrets has a bucket.
 * @throws DeployError when the Worker has secrets, and there is no bucket where the setting says
 */
function requireBucketOfWorker({ worker, bucket }: Project, survey: Survey, location: string): void {
  if (survey.databaseId === null || survey.lifecycle !== null || survey.secrets.size === 0) return;
  const where = location === "eu" ? "in the EU's jurisdiction" : "outside the EU's jurisdiction";
  throw new DeployError(
    `The Worker "${worker}" was deployed before, but there is no bucket "${bucket}" ${where}. If the data is elsewhere, set ` +
      `DATA_LOCATION to what it was in the first deployment. If the bucket was deleted, create it with wrangler first.`,
  );
}

/** wrangler's options to create something, and to find it. Only with its jurisdiction's option is a bucket found. */
interface Place {
  making: string[];
  finding: string[];
}

function placeOf(location: string): Place {
  if (location === "") return { making: [], finding: [] };
  const jurisdiction = ["--jurisdiction", location];
  return location === "eu"
    ? { making: jurisdiction, finding: jurisdiction }
    : { making: ["--location", location], finding: [] };
}

async function lookAround(
  wrangler: Wrangler,
  project: Project,
  { finding }: Place,
): Promise<Pick<Survey, "lifecycle" | "secrets" | "missingQueues">> {
  const [lifecycle, secrets, ...queues] = await Promise.all([
    nullIfMissing(NO_SUCH_BUCKET, wrangler(["r2", "bucket", "lifecycle", "list", project.bucket, ...finding])),
    nullIfMissing(NO_SUCH_WORKER, wrangler(["secret", "list", "--name", project.worker])),
    ...project.queues.map((queue) => nullIfMissing(NO_SUCH_QUEUE, wrangler(["queues", "info", queue]))),
  ]);
  const names = secrets === null ? [] : secretNames.parse(JSON.parse(secrets)).map(({ name }) => name);
  const missingQueues = project.queues.filter((_, index) => queues[index] === null);
  return { lifecycle, secrets: new Set(names), missingQueues };
}

async function findDatabase(wrangler: Wrangler, name: string): Promise<string | null> {
  const list = databases.parse(JSON.parse(await wrangler(["d1", "list", "--json"])));
  return list.find((database) => database.name === name)?.uuid ?? null;
}

/** A command's output, or null if its subject does not exist. */
async function nullIfMissing(missing: RegExp, output: Promise<string>): Promise<string | null> {
  try {
    return await output;
  } catch (error) {
    if (error instanceof WranglerFailure && missing.test(error.output)) return null;
    throw error;
  }
}

async function createDatabase(
  wrangler: Wrangler,
  { terminal, project }: Deployment,
  { making }: Place,
): Promise<string> {
  terminal.print(`Creating the D1 database "${project.database}".`);
  await wrangler(["d1", "create", project.database, ...making]);
  const id = await findDatabase(wrangler, project.database);
  if (id === null)
    throw new DeployError("The database was created, but is not listed yet. Run this again in a minute.");
  return id;
}

async function prepareBucket(
  wrangler: Wrangler,
  { terminal, project }: Deployment,
  { survey, origin, place }: { survey: Survey; origin: string; place: Place },
): Promise<void> {
  const { bucket } = project;
  if (survey.lifecycle === null) {
    terminal.print(`Creating the R2 bucket "${bucket}".`);
    await wrangler(["r2", "bucket", "create", bucket, ...place.making]);
  }
  terminal.print("Setting the bucket's rules.");
  const { origins, methods, headers, exposeHeaders, maxAgeSeconds } = corsRule(origin);
  const rules = [{ allowed: { origins, methods, headers }, exposeHeaders, maxAgeSeconds }];
  const folder = mkdtempSync(join(tmpdir(), "cors-"));
  try {
    writeFileSync(join(folder, "cors.json"), JSON.stringify({ rules }));
    const file = ["--file", join(folder, "cors.json"), "--force"];
    await wrangler(["r2", "bucket", "cors", "set", bucket, ...place.finding, ...file]);
  } finally {
    rmSync(folder, { recursive: true });
  }
  for (const rule of LIFECYCLE_RULES) {
    if (isSet(rule, survey.lifecycle)) continue;
    const days = rule.action === "expire" ? "--expire-days" : "--abort-multipart-days";
    const where = rule.prefix === "" ? [] : ["--prefix", rule.prefix];
    const what = ["--name", rule.name, ...where, days, String(rule.afterDays), "--force", ...place.finding];
    await wrangler(["r2", "bucket", "lifecycle", "add", bucket, ...what]);
  }
}

function printNextSteps(terminal: Terminal, origin: string, sells: boolean): void {
  const steps = [
    `open ${origin} (a new domain takes a few minutes), register and upload a file`,
    `open ${origin}/admin as the administrator`,
    `make an API key in your account, and run \`npm run doctor -- ${origin}\`: it tries mail, storage, uploads and links`,
    sells ? null : "to sell plans: `npm run deploy -- --renew STRIPE_SECRET_KEY`",
    "docs/operations.md has the rest: upgrading, rolling back, backups, logs",
  ].filter((step) => step !== null);
  terminal.print(`\nDeployed. Next:\n${steps.map((step) => `  - ${step}`).join("\n")}`);
}
