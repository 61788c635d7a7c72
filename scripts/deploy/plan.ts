import { LIFECYCLE_RULES, type LifecycleRule } from "#worker/storage/bucket-rules.ts";
import type { Project } from "./config.ts";
import { keepSetting, SETTINGS_FILE, type Setting } from "./settings.ts";
import { answer, DeployError, type Terminal } from "./terminal.ts";

/** What is there at Cloudflare. */
export interface Survey {
  databaseId: string | null;
  /** What wrangler says of the bucket's lifecycle; null where there is no bucket. */
  lifecycle: string | null;
  secrets: Set<string>;
}

/** What a plan is made from. */
export interface PlanContext {
  terminal: Terminal;
  env: NodeJS.ProcessEnv;
  project: Project;
  folder: string;
  settings: Setting[];
  survey: Survey;
  /** The secrets that are to be stored. */
  missing: Set<string>;
  /** Whether `--new-database` was given. */
  newDatabase: boolean;
}

/**
 * Says what a deployment will do and with which settings, and has everything confirmed that needs it.
 * @throws DeployError when something is not confirmed; nothing has been done then
 */
export async function confirmPlan(context: PlanContext): Promise<void> {
  const { terminal, env } = context;
  sayPlan(context);
  await confirmNewDatabase(context);
  for (const setting of context.settings) await confirmSetting(context, setting);
  const said = await answer(terminal, env, { name: "DEPLOY", text: "Go on? yes or no", fallback: "yes" });
  if (!/^y(es)?$/i.test(said)) throw new DeployError("Nothing was done.");
}

function sayPlan({ terminal, env, project, settings, survey, missing }: PlanContext): void {
  const { databaseId, lifecycle } = survey;
  const origin = settings.find(({ name }) => name === "APP_ORIGIN")?.value ?? "";
  const secrets = [...missing].map((name) => (env[name] ? `${name} (from the environment)` : name));
  const steps = [
    databaseId === null ? `create the D1 database "${project.database}"` : null,
    lifecycle === null ? `create the R2 bucket "${project.bucket}"` : null,
    `let browsers upload to the bucket from ${origin}, and from nowhere else`,
    ...LIFECYCLE_RULES.filter((rule) => !isSet(rule, lifecycle)).map((rule) => inWords(rule)),
    secrets.length > 0 ? `ask for secrets or make them up, and store them: ${secrets.join(", ")}` : null,
    "apply the migrations that the database does not have yet",
    `upload the Worker "${project.worker}" and its pages, and have ${new URL(origin).hostname} lead to it, whatever it leads to now`,
  ].filter((step) => step !== null);
  const changed = settings
    .filter(({ name, value }) => value !== project.vars[name])
    .map(({ name, value, source }) => `${name} = ${value} (from ${source})`);
  terminal.print(`\nThis will\n${asList(steps)}\n\nSettings that differ from wrangler.toml:\n${asList(changed)}`);
}

function asList(lines: string[]): string {
  return lines.map((line) => `  - ${line}`).join("\n");
}

/** Whether the bucket has a rule of that name. One that its owner has changed stays as they have it. */
export function isSet({ name }: LifecycleRule, lifecycle: string | null): boolean {
  return new RegExp(`^name:\\s+${name}$`, "m").test(lifecycle ?? "");
}

function inWords({ action, prefix, afterDays }: LifecycleRule): string {
  const days = afterDays === 1 ? "a day" : `${afterDays} days`;
  if (action === "expire") return `have the store delete what has lain under ${prefix} for ${days}`;
  return `have the store abort uploads that are unfinished after ${days}`;
}

/**
 * A bucket without its database: the database's name may be wrong, or the database lost. An empty one in its place would
 * make every object in the bucket a leftover, which the reconciliation deletes. Whether there are objects is not asked of
 * Cloudflare: its count lags behind.
 */
async function confirmNewDatabase({ terminal, project, survey, newDatabase }: PlanContext): Promise<void> {
  if (survey.databaseId !== null || survey.lifecycle === null || newDatabase) return;
  const danger =
    `There is an R2 bucket "${project.bucket}", but no D1 database "${project.database}". A new database knows nothing of ` +
    "the files in the bucket: their links stop working, and the files are deleted as leftovers.";
  const advice =
    "If the bucket holds files, correct database_name in wrangler.toml, or restore the database first " +
    '(docs/operations.md, "Back up and restore").';
  if (!terminal.isInteractive) {
    throw new DeployError(
      `${danger}\n${advice} If the bucket is empty or its files may go, confirm with \`npm run deploy -- --new-database\`.`,
    );
  }
  await requireYes(terminal, `${danger}\n${advice}\nCreate an empty database? yes or no`);
}

/** Values that are good for development and rarely meant in production, and what they do there. */
const RISKY: Record<string, { value: string; effect: string }> = {
  BILLING: { value: "manual", effect: "While Stripe has no key, anybody can choose any plan without paying." },
  EMAIL_VERIFICATION: { value: "off", effect: "Anybody can register with an address that is not theirs." },
};

/** A risky value has to be written in the file of kept answers, or be confirmed, which writes it there. */
async function confirmSetting({ terminal, folder }: PlanContext, setting: Setting): Promise<void> {
  const risk = RISKY[setting.name];
  if (setting.value !== risk?.value || setting.source === SETTINGS_FILE) return;
  const line = `${setting.name}=${setting.value}`;
  const danger = `${line} comes from ${setting.source}. ${risk.effect}`;
  if (!terminal.isInteractive) {
    throw new DeployError(
      `${danger} If that is meant, confirm it with the line ${line} in ${SETTINGS_FILE}; otherwise unset it.`,
    );
  }
  await requireYes(terminal, `${danger}\nDeploy with it? yes or no`);
  keepSetting(folder, setting);
}

/** There is no answer to fall back on, and the environment cannot give one. @throws DeployError at any answer but yes */
async function requireYes(terminal: Terminal, text: string): Promise<void> {
  const said = await answer(terminal, {}, { name: "CONFIRM", text });
  if (!/^y(es)?$/i.test(said)) throw new DeployError("Nothing was done.");
}
