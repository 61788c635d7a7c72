// @module-tag long
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { ensureDevVars } from "../../scripts/dev-vars.ts";
import { wranglerWith } from "../../scripts/deploy/wrangler.ts";
import { CHECKS, examine, type CheckName } from "../../scripts/doctor/checks.ts";
import type { Site } from "../../scripts/doctor/site.ts";
import { prepareServer, type LocalServer } from "../../scripts/local-server.ts";
import { wranglerEnv } from "../../scripts/wrangler-env.ts";
import { endOf, newKey } from "#test/support/cli/program.ts";
import { newBucket } from "#test/support/cloudflare-double/account.ts";
import { startCloudflareDouble, type CloudflareDouble } from "#test/support/cloudflare-double/server.ts";
import { Front, type Answered, type Spoiling } from "#test/support/front.ts";

const TOKEN = "the-good-token";
const LIFECYCLE = [
  { id: "incoming", enabled: true, conditions: { prefix: "incoming/" } },
  { id: "unfinished", enabled: true, conditions: {} },
];

/** The edge of the site, and that of the bucket, which is another origin as at Cloudflare. */
const edge = new Front();
const store = new Front();
let server: LocalServer;
let cloudflare: CloudflareDouble;
let folder: string;
let site: Site;
let answers: Record<string, string>;
/** As the bucket's rules say after a deployment. */
let cors: Spoiling;

beforeAll(async () => {
  const origin = await edge.listen();
  server = await prepareServer({ publicOrigin: origin, storeEndpoint: `${await store.listen()}/cdn-cgi/local/r2/s3` });
  edge.targetPort = store.targetPort = Number(new URL(server.origin).port);
  await server.start();
  const allowed = { "access-control-allow-origin": origin, "access-control-expose-headers": "ETag" };
  cors = {
    instead: ({ method }) => (method === "OPTIONS" ? { status: 204, headers: allowed } : null),
    answer: ({ headers }) => Object.assign(headers, allowed),
  };
  cloudflare = await startCloudflareDouble(TOKEN);
  folder = mkdtempSync(join(tmpdir(), "doctor-"));
  const env = {
    ...wranglerEnv,
    WRANGLER_LOG_PATH: join(folder, "logs"),
    CLOUDFLARE_API_KEY: undefined,
    CLOUDFLARE_EMAIL: undefined,
    CLOUDFLARE_API_BASE_URL: cloudflare.apiUrl,
    CLOUDFLARE_API_TOKEN: TOKEN,
    CLOUDFLARE_ACCOUNT_ID: cloudflare.account.id,
  };
  const { key } = await newKey(origin, ["upload", "files:write"]);
  const { username, password } = ensureDevVars();
  const given = {
    MAYFLY_KEY: key,
    ADMIN_USERNAME: username,
    ADMIN_PASSWORD: password,
    CONTACT_EMAIL: "ann@example.com",
  };
  makeWell = () => {
    answers = { ...given };
    const bucket = newBucket({});
    bucket.lifecycle = [...LIFECYCLE];
    cloudflare.account.buckets.set("mayfly", bucket);
    edge.spoiling = {};
    store.spoiling = cors;
    site = {
      origin,
      wrangler: wranglerWith(env),
      bucket: { name: "mayfly", jurisdiction: null },
      ask: (name) => {
        const found = answers[name];
        return found === undefined ? Promise.reject(new Error(`${name} is not set.`)) : Promise.resolve(found);
      },
    };
  };
}, 480_000);
let makeWell: () => void;
beforeEach(() => {
  makeWell();
});
afterAll(async () => {
  edge.close();
  store.close();
  await server.stop();
  await cloudflare.close();
  rmSync(folder, { recursive: true });
});

it.each(Object.keys(CHECKS) as CheckName[])("a site that is well: %s [OPS-5]", async (name) => {
  expect(await examine(site, name)).toEqual([]);
});

/** Spoils the answers to one path. */
function ofPath(path: string, change: (answered: Answered) => void): Spoiling {
  return {
    answer: (answered, { url = "" }) => {
      if (url.startsWith(path)) change(answered);
    },
  };
}
const withText = (answered: Answered, text: string) => {
  answered.body = new TextEncoder().encode(text);
};
const textOf = ({ body }: Answered) => new TextDecoder().decode(body);
const withHealth = (checks: object, warnings: object[] = []) =>
  ofPath("/api/health", (answered) => withText(answered, JSON.stringify({ ok: false, checks, warnings })));
/** What the zone's bot detection does to a page that it may change. */
const withScript = (path: string) =>
  ofPath(path, (answered) => {
    withText(answered, textOf(answered).replace("</body>", "<script>(function(){spy()})()</script></body>"));
  });
const refused = (status: number) => ({ status, headers: { "content-type": "text/html" }, body: new Uint8Array() });

const FAULTS: [fault: string, check: CheckName, spoil: () => void, sentences: (string | RegExp)[]][] = [
  [
    "a secret is missing",
    "settings",
    () => (edge.spoiling = { instead: ({ url }) => (url === "/api/health" ? refused(500) : null) }),
    [/^The Worker fails: settings or secrets are missing. Run `npm run deploy`/],
  ],
  [
    "the domain points elsewhere",
    "settings",
    () => (edge.spoiling = { instead: () => refused(200) }),
    [/\/api\/health answers 200, and not like this Worker\. Look where the domain points, and deploy\.$/],
  ],
  [
    "a cache keeps pages of another release",
    "settings",
    () => {
      edge.spoiling = ofPath("/release.json", (answered) => {
        withText(answered, JSON.stringify({ id: "0123456789ab", files: {} }));
      });
    },
    [/^Pages are not of release 0123456789ab, .* remove its Cache Rule\.$/],
  ],
  [
    "mail does not get out, and the database fills",
    "health",
    () => {
      edge.spoiling = withHealth({ mail: { ok: false } }, [{ what: "database", percent: 83, daysLeft: 20 }]);
    },
    [
      /^Mails do not get out: look for mail\.failed\./,
      'The database is 83 % full: docs/operations.md, "The database fills".',
    ],
  ],
  [
    "the cron is silent",
    "cron",
    () => (edge.spoiling = withHealth({ cron: { ok: false } })),
    [/^The cron has not run for five minutes\. .* under Workers, Triggers, and run `npm run deploy`\.$/],
  ],
  [
    "a rule removes a header",
    "headers",
    () => (edge.spoiling = ofPath("/api/health", ({ headers }) => delete headers["x-content-type-options"])),
    [/^\/api\/health has no x-content-type-options, or another\. Remove what changes it: Rules, Transform Rules/],
  ],
  [
    "the zone puts a script into pages",
    "scripts",
    () => (edge.spoiling = withScript("/r/")),
    [
      /^\/r\/A+ contains a script that is not ours: \(function\(\)\{spy\(\)\}\)\(\) See docs\/operations\.md, "Settings of the zone"\.$/,
    ],
  ],
  [
    "the zone refuses programs",
    "programs",
    () => {
      edge.spoiling = { instead: ({ headers }) => (headers["user-agent"] === undefined ? refused(403) : null) };
    },
    [/^A program without a User-Agent gets 403 .* Switch off Browser Integrity Check for programs/],
  ],
  [
    "the bucket has no CORS rule",
    "cors",
    () => (store.spoiling = { instead: ({ method }) => (method === "OPTIONS" ? refused(403) : null) }),
    [
      /^Storage does not let pages of http:\S+ send parts\. Run `npm run deploy`, which sets the bucket's CORS rules\.$/,
    ],
  ],
  [
    "the bucket shows pages no ETag",
    "cors",
    () => {
      store.spoiling = { ...cors, answer: ({ headers }) => (headers["access-control-allow-origin"] = site.origin) };
    },
    [/^Storage does not let pages of/],
  ],
  [
    "a lifecycle rule is missing",
    "lifecycle",
    () => cloudflare.account.buckets.get("mayfly")?.lifecycle.pop(),
    ['The bucket has no lifecycle rule "unfinished". Run `npm run deploy`, which adds it.'],
  ],
  [
    "the account is another",
    "lifecycle",
    () => cloudflare.account.buckets.clear(),
    ['There is no bucket "mayfly" in this account. Set CLOUDFLARE_ACCOUNT_ID to the site\'s.'],
  ],
  [
    "the mail is refused",
    "mail",
    () => {
      const path = "/api/diagnostics/send-test-email";
      edge.spoiling = { instead: ({ url }) => (url === path ? refused(502) : null) };
    },
    [/^The mail to ann@example\.com was refused \(502\)\. Look for mail\.test_failed, and at MAIL_FROM\./],
  ],
  [
    "the administrator's password is wrong",
    "mail",
    () => (answers.ADMIN_PASSWORD = "another password"),
    ["the administrator's name or password is wrong."],
  ],
  ["nobody gives a key", "upload", () => delete answers.MAYFLY_KEY, ["MAYFLY_KEY is not set."]],
  [
    "storage refuses the keys",
    "upload",
    () => {
      const body = new TextEncoder().encode("<Error><Code>SignatureDoesNotMatch</Code></Error>");
      store.spoiling = { instead: () => ({ status: 403, body }) };
    },
    [
      /^Storage answers 403 SignatureDoesNotMatch to a part\. .*`npm run deploy -- --renew S3_ACCESS_KEY_ID` tests them\.$/,
    ],
  ],
  [
    "a download is changed on its way",
    "upload",
    () => (edge.spoiling = ofPath("/api/files/download/", (answered) => answered.body.fill(0))),
    [/^The download answers 200 with other bytes than were sent\./],
  ],
  [
    "APP_ORIGIN is another",
    "curl",
    () => {
      edge.spoiling = ofPath("/doctor.bin", (answered) => {
        withText(answered, textOf(answered).replace(/"link":"http:\/\/[^/]*/, '"link":"https://old.example.com'));
      });
    },
    [
      /^Links begin with https:\/\/old\.example\.com: set APP_ORIGIN to http:\S+ in \.deploy\.vars, and run `npm run deploy`\.$/,
    ],
  ],
  [
    "a cache answers ranges with the whole file",
    "curl",
    () => {
      edge.spoiling = ofPath("/api/files/download/", (answered) => {
        if (answered.status === 206) answered.status = 200;
      });
    },
    [/^A download cannot go on in its middle: something changes Range\. Remove the Cache Rules of this site\.$/],
  ],
  [
    "a firewall refuses PUT",
    "curl",
    () => (edge.spoiling = { instead: ({ method }) => (method === "PUT" ? refused(403) : null) }),
    [/^A PUT of 2 MiB gets 403 from something else than the Worker\./],
  ],
  [
    "the edge holds requests back",
    "tus",
    () => (edge.spoiling = { holds: true }),
    [
      /^Nothing of a request arrives before its end, .* for \/api\/v1\/tus\/\* that sets request_body_buffering to none\.$/,
    ],
  ],
  [
    "the zone puts a script into the page of an encrypted link",
    "encrypted",
    () => (edge.spoiling = withScript("/download/")),
    [/^\/download\/[\w-]{22} contains a script that is not ours: \(function/],
  ],
];

it.each(FAULTS)("names what is wrong, and what to do: %s [OPS-5]", async (_, check, spoil, sentences) => {
  spoil();
  const faults = await examine(site, check);
  const expected = sentences.map((sentence) =>
    typeof sentence === "string" ? sentence : (expect.stringMatching(sentence) as string),
  );
  expect(faults).toEqual(expected);
});

it("prints a line for each check, and ends with 1 when something is wrong", async () => {
  const look = (...args: string[]) =>
    endOf(spawn(process.execPath, ["scripts/doctor.ts", ...args], { env: { ...process.env, CI: "1" } }));
  edge.spoiling = withHealth({ cron: { ok: false } });
  const { code, out } = await look(site.origin, "cron", "health");
  expect(code).toBe(1);
  expect(out.trimEnd().split("\n")).toEqual([
    "ok     health: Database, storage, mail and chores are well.",
    expect.stringMatching(/^wrong {2}cron: The cron has not run for five minutes\./) as string,
  ]);
  edge.spoiling = {};
  expect(await look(site.origin, "cron")).toMatchObject({ code: 0, out: "ok     cron: The cron runs each minute.\n" });
  expect(await look(site.origin, "crom")).toMatchObject({ code: 2, out: "" });
});

it("leaves no file of its own, also where something was wrong", async () => {
  const rows = await server.execute<{ files: number; left: number }>(
    "select count(*) as files, sum(status = 'ready' and deleted_at is null) as left from files",
  );
  expect(rows).toEqual([{ files: expect.any(Number) as number, left: 0 }]);
  expect(rows[0]?.files).toBeGreaterThanOrEqual(4);
});
