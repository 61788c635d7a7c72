import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import * as z from "zod/mini";
import type { HealthCheckName } from "#domain/wire.ts";
import { LIFECYCLE_RULES } from "#worker/storage/bucket-rules.ts";
import { logInAsAdministrator, postJson } from "../admin-login.ts";
import { isSet } from "../deploy/plan.ts";
import { explain, NO_SUCH_BUCKET, WranglerFailure } from "../deploy/wrangler.ts";
import { findForeignScripts, readRelease, type Site } from "./site.ts";
import { acceptsPartsOfPages, passesEncrypted, passesParts, passesRequest, passesTus } from "./transfers.ts";

interface Check {
  /** A sentence that is true of the site when nothing is wrong. */
  expected: string;
  /**
   * @returns a sentence for each thing that is wrong, with what to do
   * @throws Error whose message is such a sentence
   */
  run(site: Site): Promise<string[]>;
}

/** The checks of a first deployment (docs/operations.md). A check stands behind those on whose result it depends. */
export const CHECKS = {
  settings: { expected: "The Worker has its settings, and serves one release.", run: checkSettings },
  health: { expected: "Database, storage, mail and chores are well.", run: checkHealth },
  cron: { expected: "The cron runs each minute.", run: checkCron },
  headers: { expected: "Pages, answers and files have their security headers.", run: checkHeaders },
  scripts: { expected: "Pages load the release's scripts alone.", run: checkScripts },
  programs: { expected: "Programs get through without a User-Agent.", run: checkPrograms },
  cors: { expected: "Pages may send to storage.", run: acceptsPartsOfPages },
  lifecycle: { expected: "The bucket has its lifecycle rules.", run: checkLifecycle },
  mail: { expected: "A mail is on its way: see whether it arrives, and not as spam.", run: checkMail },
  upload: { expected: "A file in presigned parts arrives with its SHA-256.", run: passesParts },
  curl: { expected: "A file of curl comes back with its SHA-256, also from its middle on.", run: passesRequest },
  tus: { expected: "An upload with tus goes on where its line broke.", run: passesTus },
  encrypted: { expected: "An encrypted link opens, and its page has no foreign script.", run: passesEncrypted },
} satisfies Record<string, Check>;

export type CheckName = keyof typeof CHECKS;

/** Runs a check. @returns the faults, with what to do about each; nothing for a site that is well */
export async function examine(site: Site, name: CheckName): Promise<string[]> {
  try {
    return await CHECKS[name].run(site);
  } catch (error) {
    if (error instanceof WranglerFailure) return [explain(error)];
    const { message, cause } = error instanceof Error ? error : new Error(String(error));
    return [cause instanceof Error ? `${message}: ${cause.message}` : message];
  }
}

const LOG = "`npx wrangler tail --config wrangler.deploy.json` shows the log.";

const health = z.object({
  checks: z.record(z.string(), z.object({ ok: z.boolean() })),
  warnings: z.array(z.object({ what: z.string(), percent: z.number(), daysLeft: z.nullable(z.number()) })),
});

/** @throws Error when something else answers than this project's Worker, or a Worker without its settings */
async function readHealth({ origin }: Site) {
  const response = await fetch(`${origin}/api/health`);
  const parsed = health.safeParse(await response.json().catch(() => null));
  if (parsed.success) return parsed.data;
  throw new Error(
    response.status === 500
      ? `The Worker fails: settings or secrets are missing. Run \`npm run deploy\`, which asks for them. ${LOG}`
      : `${origin}/api/health answers ${response.status}, and not like this Worker. Look where the domain points, and deploy.`,
  );
}

async function checkSettings(site: Site): Promise<string[]> {
  await readHealth(site);
  const { id } = await readRelease(site);
  const page = await (await fetch(site.origin, { headers: { accept: "text/html" } })).text();
  if (new RegExp(`<a href="/release.json"[^>]*>[^<]*${id}</a>`).test(page)) return [];
  return [`Pages are not of release ${id}, whose files are served. A cache keeps old pages: remove its Cache Rule.`];
}

const REMEDIES: Record<Exclude<HealthCheckName, "cron">, string> = {
  database: "The database does not answer. See https://www.cloudflarestatus.com.",
  storage: "The bucket does not answer. See https://www.cloudflarestatus.com.",
  durableObjects: "Durable Objects do not answer. See https://www.cloudflarestatus.com.",
  queues: 'Messages wait, or could not be handled: docs/operations.md, "The queues".',
  chores: `A chore fails in each run: look for cron.NAME_failed. ${LOG}`,
  mail: `Mails do not get out: look for mail.failed. ${LOG}`,
  scanner: 'The virus scanner does not answer: docs/operations.md, "Scanning for viruses".',
  orphans: 'Many objects have no row: docs/operations.md, "Objects without a file".',
};

async function checkHealth(site: Site): Promise<string[]> {
  const { checks, warnings } = await readHealth(site);
  const ill = Object.entries(REMEDIES).filter(([name]) => checks[name]?.ok === false);
  return [
    ...ill.map(([, remedy]) => remedy),
    ...warnings.map(
      ({ what, percent }) => `The ${what} is ${percent} % full: docs/operations.md, "The database fills".`,
    ),
  ];
}

async function checkCron(site: Site): Promise<string[]> {
  const { checks } = await readHealth(site);
  if (checks.cron?.ok) return [];
  return [
    "The cron has not run for five minutes. The first run comes up to 15 minutes after a deployment; after that look in " +
      "Cloudflare's dashboard under Workers, Triggers, and run `npm run deploy`.",
  ];
}

const EVERYWHERE: Record<string, RegExp> = {
  "x-content-type-options": /^nosniff$/,
  "x-frame-options": /^DENY$/,
  "referrer-policy": /^strict-origin-when-cross-origin$/,
  "content-security-policy": /(default-src|frame-ancestors) 'none'/,
};
const OVER_HTTPS: Record<string, RegExp> = { "strict-transport-security": /^max-age=63072000$/ };

async function checkHeaders(site: Site): Promise<string[]> {
  const { origin } = site;
  const { files } = await readRelease(site);
  const isSecure = origin.startsWith("https:");
  const expected = Object.entries({ ...EVERYWHERE, ...(isSecure && OVER_HTTPS) });
  const script = Object.keys(files).find((path) => path.startsWith("/assets/") && path.endsWith(".js")) ?? "/";
  const missing = ["/", "/api/health", script].map(async (path) => {
    const { headers } = await fetch(origin + path);
    return expected
      .filter(([name, value]) => !value.test(headers.get(name) ?? ""))
      .map(
        ([name]) =>
          `${path} has no ${name}, or another. Remove what changes it: Rules, Transform Rules in the dashboard.`,
      );
  });
  const plain = isSecure ? await fetch(origin.replace("https:", "http:") + script, { redirect: "manual" }) : null;
  return [
    ...(await Promise.all(missing)).flat(),
    ...(plain?.ok
      ? ["Scripts are served over plain HTTP. Switch on Always Use HTTPS: SSL/TLS, Edge Certificates."]
      : []),
  ];
}

async function checkScripts(site: Site): Promise<string[]> {
  return findForeignScripts(site);
}

/** Cloudflare's Browser Integrity Check answers 403 in HTML. */
async function checkPrograms({ origin }: Site): Promise<string[]> {
  const { get } = origin.startsWith("https:") ? https : http;
  const { statusCode: status = 0, headers } = await new Promise<IncomingMessage>((resolve, reject) => {
    // fetch would send a User-Agent of its own.
    get(`${origin}/api/v1/me`, (response) => resolve(response.resume())).on("error", reject);
  });
  if (status === 401 && headers["content-type"]?.startsWith("application/json")) return [];
  return [
    `A program without a User-Agent gets ${status} from something else than the Worker. Switch off Browser Integrity Check for ` +
      'programs: docs/operations.md, "Settings of the zone".',
  ];
}

async function checkLifecycle({ wrangler, bucket: { name, jurisdiction } }: Site): Promise<string[]> {
  const where = jurisdiction === null ? [] : ["--jurisdiction", jurisdiction];
  const rules = await wrangler(["r2", "bucket", "lifecycle", "list", name, ...where]).catch((error: unknown) => {
    if (error instanceof WranglerFailure && NO_SUCH_BUCKET.test(error.output)) return null;
    throw error;
  });
  if (rules === null) return [`There is no bucket "${name}" in this account. Set CLOUDFLARE_ACCOUNT_ID to the site's.`];
  return LIFECYCLE_RULES.filter((rule) => !isSet(rule, rules)).map(
    (rule) => `The bucket has no lifecycle rule "${rule.name}". Run \`npm run deploy\`, which adds it.`,
  );
}

async function checkMail({ origin, ask }: Site): Promise<string[]> {
  const administrator = { username: await ask("ADMIN_USERNAME"), password: await ask("ADMIN_PASSWORD") };
  const cookie = await logInAsAdministrator(origin, administrator, () => ask("ADMIN_CODE"));
  const email = await ask("CONTACT_EMAIL");
  const response = await postJson(origin, "/api/diagnostics/send-test-email", { email }, cookie);
  if (response.ok) return [];
  return [`The mail to ${email} was refused (${response.status}). Look for mail.test_failed, and at MAIL_FROM. ${LOG}`];
}
