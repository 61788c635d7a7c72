import { LIFECYCLE_RULES, type LifecycleRule } from "#worker/storage/bucket-rules.ts";
import type { Project } from "./config.ts";
import { saveSetting, SETTINGS_FILE, type Setting } from "./settings.ts";
import { answer, DeployError, type Terminal } from "./terminal.ts";

export interface Survey {
  databaseId: string | null;
  /** wrangler's output about the bucket's lifecycle rules; null without a bucket. */
  lifecycle: string | null;
  secrets: Set<string>;
  missingQueues: string[];
}

export interface PlanContext {
  terminal: Terminal;
  env: NodeJS.ProcessEnv;
  project: Project;
  folder: string;
  settings: Setting[];
  survey: Survey;
  missing: Set<string>;
  newDatabase: boolean;
}

/**
 * Prints what the deployment will do and its settings, and asks for confirmations.
 * @throws DeployError when something is not confirmed; nothing has been changed
 */
export async function confirmPlan(context: PlanContext): Promise<void> {
  const { terminal, env } = context;
  printPlan(context);
  await confirmNewDatabase(context);
  for (const setting of context.settings) await confirmSetting(context, setting);
  const reply = await answer(terminal, env, { name: "DEPLOY", text: "Deploy? yes or no", fallback: "yes" });
  if (!/^y(es)?$/i.test(reply)) throw new DeployError("Nothing was done.");
}

function printPlan({ terminal, env, project, settings, survey, missing }: PlanContext): void {
  const { databaseId, lifecycle, missingQueues } = survey;
  const origin = settings.find(({ name }) => name === "APP_ORIGIN")?.value ?? "";
  const location = settings.find(({ name }) => name === "DATA_LOCATION")?.value ?? "";
  const where = location === "" ? "" : ` ${location === "eu" ? "in the EU's jurisdiction" : `in ${location}`}`;
  const secrets = [...missing].map((name) => (env[name] ? `${name} (from the environment)` : name));
  const steps = [
    databaseId === null ? `create the D1 database "${project.database}"${where}, for good` : null,
    lifecycle === null ? `create the R2 bucket "${project.bucket}"${where}, for good` : null,
    ...missingQueues.map((queue) => `create the queue "${queue}"`),
    `allow browsers to upload to the bucket from ${origin} only`,
    ...LIFECYCLE_RULES.filter((rule) => !isSet(rule, lifecycle)).map((rule) => describeRule(rule)),
    secrets.length > 0 ? `ask for these secrets or generate them, and store them: ${secrets.join(", ")}` : null,
    "apply the migrations that the database does not have yet",
    `upload the Worker "${project.worker}" and its pages, and point ${new URL(origin).hostname} to it, even if it points elsewhere now`,
  ].filter((step) => step !== null);
  const changed = settings
    .filter(({ name, value }) => value !== project.vars[name])
    .map(({ name, value, source }) => `${name} = ${value} (from ${source})`);
  terminal.print(`\nThis will\n${asList(steps)}\n\nSettings that differ from wrangler.toml:\n${asList(changed)}`);
}

function asList(lines: string[]): string {
  return lines.map((line) => `  - ${line}`).join("\n");
}

/** Whether the bucket has a rule of that name. A rule that its owner changed is kept. */
export function isSet({ name }: LifecycleRule, lifecycle: string | null): boolean {
  return new RegExp(`^name:\\s+${name}$`, "m").test(lifecycle ?? "");
}

function describeRule({ action, prefix, afterDays }: LifecycleRule): string {
  const days = afterDays === 1 ? "a day" : `${afterDays} days`;
  if (action === "expire") return `add a bucket rule that deletes objects under ${prefix} after ${days}`;
  return `add a bucket rule that aborts unfinished uploads after ${days}`;
}

/**
 * Asks about a bucket without its database: the name may be wrong, or the database lost. With an empty database every
 * object would be an orphan, and be deleted after some days. The function does not check whether the bucket is empty,
 * because Cloudflare's count is delayed.
 */
async function confirmNewDatabase({ terminal, project, survey, newDatabase }: PlanContext): Promise<void> {
  if (survey.databaseId !== null || survey.lifecycle === null || newDatabase) return;
  const danger =
    `There is an R2 bucket "${project.bucket}", but no D1 database "${project.database}". A new database does not list ` +
    "the files in the bucket: their links stop working, and the files are deleted as leftovers.";
  const advice =
    "If the bucket holds files, correct database_name in wrangler.toml, or restore the database first " +
    '(docs/operations.md, "Back up and restore").';
  if (!terminal.isInteractive) {
    throw new DeployError(
      `${danger}\n${advice} If the bucket is empty or its files may be deleted, confirm with \`npm run deploy -- --new-database\`.`,
    );
  }
  await requireYes(terminal, `${danger}\n${advice}\nCreate an empty database? yes or no`);
}

/** Values that are fine in development and rarely intended in production. */
const RISKY: Record<string, { value: string; effect: string }> = {
  BILLING: { value: "manual", effect: "While Stripe has no key, anybody can choose any plan without paying." },
  EMAIL_VERIFICATION: { value: "off", effect: "Anybody can register with an address that is not theirs." },
};

/** A risky value must be in .deploy.vars, or be confirmed. A confirmation writes the value into .deploy.vars. */
async function confirmSetting({ terminal, folder }: PlanContext, setting: Setting): Promise<void> {
  const risk = RISKY[setting.name];
  if (setting.value !== risk?.value || setting.source === SETTINGS_FILE) return;
  const line = `${setting.name}=${setting.value}`;
  const danger = `${line} comes from ${setting.source}. ${risk.effect}`;
  if (!terminal.isInteractive) {
    throw new DeployError(`${danger} To confirm it, add the line ${line} to ${SETTINGS_FILE}. Otherwise unset it.`);
  }
  await requireYes(terminal, `${danger}\nDeploy with it? yes or no`);
  saveSetting(folder, setting);
}

/** Asks a question without a default, which the environment cannot answer. @throws DeployError for all but yes */
async function requireYes(terminal: Terminal, text: string): Promise<void> {
  const reply = await answer(terminal, {}, { name: "CONFIRM", text });
  if (!/^y(es)?$/i.test(reply)) throw new DeployError("Nothing was done.");
}
