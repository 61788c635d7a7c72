import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { parseSender } from "#domain/mail-sender.ts";
import { parseVars } from "../dev-vars.ts";
import { readIfThere, type Project } from "./config.ts";
import { answer, DeployError, type Question, type Terminal } from "./terminal.ts";

/** Where the answers that are not secret are kept, one `NAME=value` a line: not in git. */
export const SETTINGS_FILE = ".deploy.vars";

/** A setting of this deployment that is not secret. */
export interface Setting {
  name: string;
  value: string;
  /** For a person: where the value comes from. */
  source: "wrangler.toml" | typeof SETTINGS_FILE | "the environment" | "this account";
}

/**
 * The settings of this deployment that are not secret: the environment's, those kept from an earlier run, or the
 * person's. What was answered is kept at once.
 * @param folder where they are kept
 * @returns every setting that wrangler.toml names
 * @throws DeployError for an answer that is no good, or a kept setting that nothing knows
 */
export async function settleSettings(
  { terminal, env, folder }: { terminal: Terminal; env: NodeJS.ProcessEnv; folder: string },
  { project, accountId }: { project: Project; accountId: string },
): Promise<Setting[]> {
  const kept = readKept(folder);
  const stranger = [...kept.keys()].find((name) => !(name in project.vars));
  if (stranger !== undefined) {
    throw new DeployError(
      `${SETTINGS_FILE} sets ${stranger}, which is no setting that wrangler.toml has under [vars].`,
    );
  }
  const keptBefore = new Map(kept);
  for (const ask of QUESTIONS) {
    const question = ask(project, kept);
    if (kept.has(question.name) && !env[question.name]) continue;
    kept.set(question.name, await answer(terminal, env, question));
    writeKept(folder, kept);
  }
  const ofAccount: Record<string, string> = {
    S3_ENDPOINT: `https://${accountId}.r2.cloudflarestorage.com`,
    S3_BUCKET: project.bucket,
  };
  return Object.entries(project.vars).map(([name, standard]): Setting => {
    // A machine that deploys may also be one that develops: its environment's APP_ENV is not meant here.
    if (name === "APP_ENV") return { name, value: "production", source: "wrangler.toml" };
    const exported = env[name]?.trim();
    if (exported && exported !== keptBefore.get(name)) return { name, value: exported, source: "the environment" };
    const value = kept.get(name);
    if (value) return { name, value, source: SETTINGS_FILE };
    const derived = ofAccount[name];
    return derived
      ? { name, value: derived, source: "this account" }
      : { name, value: standard, source: "wrangler.toml" };
  });
}

/** The settings as the Worker gets them. */
export function varsOf(settings: Setting[]): Record<string, string> {
  return Object.fromEntries(settings.map(({ name, value }) => [name, value]));
}

/** Keeps a setting for the next runs. @param folder where they are kept */
export function keepSetting(folder: string, { name, value }: Setting): void {
  writeKept(folder, readKept(folder).set(name, value));
}

function readKept(folder: string): Map<string, string> {
  return parseVars(readIfThere(join(folder, SETTINGS_FILE)).split("\n"));
}

function writeKept(folder: string, kept: Map<string, string>): void {
  const lines = [...kept].map(([name, value]) => `${name}=${value}`);
  const text = `# What \`npm run deploy\` was told. Change it here, and deploy again.\n${lines.join("\n")}\n`;
  writeFileSync(join(folder, SETTINGS_FILE), text);
}

/** In the order in which they are asked: a later one may lean on an earlier answer. */
const QUESTIONS: ((project: Project, answers: Map<string, string>) => Question)[] = [
  ({ worker }) => ({
    name: "APP_ORIGIN",
    text:
      "The address people will open: https:// and a name on a domain of this account, or " +
      `https://${worker}.SUBDOMAIN.workers.dev with your account's subdomain.`,
    check: (origin) => originFault(origin, worker),
  }),
  () => ({
    name: "CONTACT_EMAIL",
    text: "Where people may write to; the contact, privacy and terms pages name it.",
    check: (address) => (isEmail(address) ? null : "it has to be an e-mail address."),
  }),
  () => ({
    name: "MAIL_TRANSPORT",
    text: "What sends mail: cloudflare (Email Sending, set up for the sender's domain), or resend (with an API key).",
    fallback: "cloudflare",
    check: (transport) => (/^(cloudflare|resend)$/.test(transport) ? null : "it is either cloudflare or resend."),
  }),
  (_, answers) => ({
    name: "MAIL_FROM",
    text: "Whom mail comes from.",
    ...senderOf(answers.get("APP_ORIGIN") ?? ""),
    check: (sender) =>
      parseSender(sender) === null
        ? `it has to be an address, or a name and an address: ${PRODUCT_NAME} <no-reply@example.com>.`
        : null,
  }),
];

/** Nobody sends mail from workers.dev. */
function senderOf(origin: string): { fallback?: string } {
  const { hostname } = new URL(origin);
  return hostname.endsWith(".workers.dev") ? {} : { fallback: `${PRODUCT_NAME} <no-reply@${hostname}>` };
}

function isEmail(address: string): boolean {
  return z.email().safeParse(address).success;
}

function originFault(origin: string, worker: string): string | null {
  const url = URL.canParse(origin) ? new URL(origin) : null;
  if (url?.protocol !== "https:" || url.port !== "" || !url.hostname.includes(".")) {
    return "it has to begin with https:// and name a host, such as https://files.example.com.";
  }
  if (`${url.origin}/` !== url.href) return `it ends after the host: ${url.origin}.`;
  const isWorkersDev = url.hostname.endsWith(".workers.dev");
  if (isWorkersDev && !new RegExp(`^${worker}\\.[\\w-]+\\.workers\\.dev$`).test(url.hostname)) {
    return `on workers.dev this Worker is https://${worker}.SUBDOMAIN.workers.dev.`;
  }
  return null;
}
