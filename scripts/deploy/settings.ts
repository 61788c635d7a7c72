import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { DATA_LOCATIONS } from "#domain/data-locations.ts";
import { emailAddress, parseSender } from "#domain/email-address.ts";
import { parseVars } from "../dev-vars.ts";
import { readFileOrEmpty, type Project } from "./config.ts";
import { answer, DeployError, type Question, type Terminal } from "./terminal.ts";

/** The file of the answers that are not secret, one `NAME=value` a line. The file is not in git. */
export const SETTINGS_FILE = ".deploy.vars";

/** A setting of this deployment that is not secret. */
export interface Setting {
  name: string;
  value: string;
  source: "wrangler.toml" | typeof SETTINGS_FILE | "the environment" | "this account";
}

/**
 * Collects the settings that are not secret: from the environment, .deploy.vars, or the person. Saves answers at once.
 * @param folder of .deploy.vars
 * @param hasDatabase then nobody is asked where to store data: `.deploy.vars` says where the data is, else the
 * environment
 * @returns the value and source of every setting that wrangler.toml names
 * @throws DeployError for an invalid answer or an unknown saved setting
 */
export async function collectSettings(
  { terminal, env, folder }: { terminal: Terminal; env: NodeJS.ProcessEnv; folder: string },
  { project, accountId, hasDatabase }: { project: Project; accountId: string; hasDatabase: boolean },
): Promise<Setting[]> {
  const saved = readSavedSettings(folder);
  const unknownName = [...saved.keys()].find((name) => !(name in project.vars));
  if (unknownName !== undefined) {
    throw new DeployError(
      `${SETTINGS_FILE} sets ${unknownName}, but wrangler.toml has no ${unknownName} under [vars].`,
    );
  }
  const savedBefore = new Map(saved);
  for (const ask of QUESTIONS) {
    const question = ask(project, saved);
    if (saved.has(question.name) && !env[question.name]) continue;
    if (question.name === "DATA_LOCATION" && hasDatabase && (saved.has(question.name) || !env[question.name])) continue;
    saved.set(question.name, await answer(terminal, env, question));
    writeSavedSettings(folder, saved);
  }
  const accountSettings: Record<string, string> = {
    S3_ENDPOINT: `https://${accountId}.${isEuropean(saved) ? "eu." : ""}r2.cloudflarestorage.com`,
    S3_BUCKET: project.bucket,
  };
  return Object.entries(project.vars).map(([name, defaultValue]): Setting => {
    // The environment's APP_ENV belongs to development on this machine.
    if (name === "APP_ENV") return { name, value: "production", source: "wrangler.toml" };
    // For the location of the data, the environment only answers the question, and changes no saved answer.
    const exported = name === "DATA_LOCATION" ? undefined : env[name]?.trim();
    if (exported && exported !== savedBefore.get(name)) return { name, value: exported, source: "the environment" };
    const value = saved.get(name);
    if (value) return { name, value, source: SETTINGS_FILE };
    const derived = accountSettings[name];
    return derived
      ? { name, value: derived, source: "this account" }
      : { name, value: defaultValue, source: "wrangler.toml" };
  });
}

function isEuropean(saved: Map<string, string>): boolean {
  return saved.get("DATA_LOCATION") === "eu";
}

export function varsOf(settings: Setting[]): Record<string, string> {
  return Object.fromEntries(settings.map(({ name, value }) => [name, value]));
}

export function saveSetting(folder: string, { name, value }: Setting): void {
  writeSavedSettings(folder, readSavedSettings(folder).set(name, value));
}

/** @param folder of .deploy.vars @returns the answers of the last deployment; none without the file */
export function readSavedSettings(folder: string): Map<string, string> {
  return parseVars(readFileOrEmpty(join(folder, SETTINGS_FILE)).split("\n"));
}

function writeSavedSettings(folder: string, saved: Map<string, string>): void {
  const lines = [...saved].map(([name, value]) => `${name}=${value}`);
  const text = `# Answers to \`npm run deploy\`. To change one, edit it here and deploy again.\n${lines.join("\n")}\n`;
  writeFileSync(join(folder, SETTINGS_FILE), text);
}

/** The questions in the order in which they are asked, because a question may use earlier answers. */
const QUESTIONS: ((project: Project, answers: Map<string, string>) => Question)[] = [
  ({ worker }) => ({
    name: "APP_ORIGIN",
    text:
      "The address that people will open: https:// and a host name on a domain of this account, or " +
      `https://${worker}.SUBDOMAIN.workers.dev with your account's subdomain.`,
    check: (origin) => checkOrigin(origin, worker),
  }),
  () => ({
    name: "DATA_LOCATION",
    text:
      "Where files and accounts are stored. This can never be changed. eu: in the European Union alone, by law. Or near " +
      "most of your people: weur or eeur (Western, Eastern Europe), wnam or enam (Western, Eastern North America), apac " +
      "(Asia), oc (Oceania).",
    check: (location) =>
      location !== "" && DATA_LOCATIONS.some((known) => known === location)
        ? null
        : `it must be ${DATA_LOCATIONS.slice(1).join(", ")}.`,
  }),
  () => ({
    name: "CONTACT_EMAIL",
    text: "The email address that the contact, privacy and terms pages show.",
    check: (address) => (isEmail(address) ? null : "it must be an email address."),
  }),
  () => ({
    name: "MAIL_TRANSPORT",
    text: "The service that sends mails: cloudflare (set up Email Sending for the sender's domain first) or resend (needs an API key).",
    fallback: "cloudflare",
    check: (transport) => (/^(cloudflare|resend)$/.test(transport) ? null : "it must be cloudflare or resend."),
  }),
  (_, answers) => ({
    name: "MAIL_FROM",
    text: "The sender of all mails.",
    ...defaultSender(answers.get("APP_ORIGIN") ?? ""),
    check: (sender) =>
      parseSender(sender) === null
        ? `it must be an address, or a name and an address: ${PRODUCT_NAME} <no-reply@example.com>.`
        : null,
  }),
];

/** workers.dev cannot send mail. */
function defaultSender(origin: string): { fallback?: string } {
  const { hostname } = new URL(origin);
  return hostname.endsWith(".workers.dev") ? {} : { fallback: `${PRODUCT_NAME} <no-reply@${hostname}>` };
}

function isEmail(address: string): boolean {
  return emailAddress("").safeParse(address).success;
}

function checkOrigin(origin: string, worker: string): string | null {
  const url = URL.canParse(origin) ? new URL(origin) : null;
  if (url?.protocol !== "https:" || url.port !== "" || !url.hostname.includes(".")) {
    return "it must begin with https:// and name a host, such as https://files.example.com.";
  }
  if (`${url.origin}/` !== url.href) return `it must not have a path: use ${url.origin}.`;
  const isWorkersDev = url.hostname.endsWith(".workers.dev");
  if (isWorkersDev && !new RegExp(`^${worker}\\.[\\w-]+\\.workers\\.dev$`).test(url.hostname)) {
    return `this Worker's address on workers.dev is https://${worker}.SUBDOMAIN.workers.dev.`;
  }
  return null;
}
