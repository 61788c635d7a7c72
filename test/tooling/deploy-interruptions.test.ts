// @module-tag long
import { globSync } from "node:fs";
import { basename } from "node:path";
import { expect, it } from "vitest";
import { changes, startDeployments } from "#test/support/cloudflare-double/deploying.ts";
import { STORAGE_KEYS } from "#test/support/cloudflare-double/server.ts";

const ANSWERS: Record<string, string> = {
  APP_ORIGIN: "https://files.example.com",
  DATA_LOCATION: "weur",
  CONTACT_EMAIL: "hello@example.com",
  S3_ACCESS_KEY_ID: STORAGE_KEYS.accessKeyId,
  S3_SECRET_ACCESS_KEY: STORAGE_KEYS.secretAccessKey,
  STRIPE_SECRET_KEY: "sk_test_deploy",
};

const SETTINGS = ["APP_ORIGIN", "DATA_LOCATION", "CONTACT_EMAIL", "MAIL_TRANSPORT", "MAIL_FROM"];
const SECRETS = [
  "ADMIN_USERNAME",
  "ADMIN_PASSWORD",
  "S3_ACCESS_KEY_ID",
  "S3_SECRET_ACCESS_KEY",
  "STRIPE_SECRET_KEY",
  "STRIPE_PUBLISHABLE_KEY",
];

/** The calls that change something in a first deployment and without which it stops, and what is asked for until then. */
const STEPS: [call: string, asked: string[]][] = [
  ["POST /d1/database", SETTINGS],
  ["POST /r2/buckets", []],
  ["PUT /r2/buckets/:id/cors", []],
  ["PUT /r2/buckets/:id/lifecycle", []],
  // wrangler makes a Worker without code, which takes the secrets. Until they are stored, they have to be asked for.
  ["PUT /workers/scripts/:id", SECRETS],
  ["PATCH /workers/scripts/:id/secrets-bulk", SECRETS],
  ["POST /d1/database/:id/query", []],
  ["POST /workers/scripts/:id/assets-upload-session", []],
  ["POST /workers/assets/upload", []],
  ["PUT /workers/scripts/:id", []],
  ["POST /workers/scripts/:id/subdomain", []],
  ["PUT /workers/scripts/:id/schedules", []],
  ["PUT /workers/scripts/:id/domains/records", []],
];
/** A deployment goes on without the zone's rules. */
const ZONE = "PUT /zones/a-zone/rulesets/phases/http_config_settings/entrypoint";

it("an interruption at each step loses nothing: the next run asks for the rest, and makes nothing twice [OPS-7]", async () => {
  const deployments = await startDeployments();
  const { account, faults } = deployments.cloudflare;
  const done: string[] = [];
  const stopped: [call: string, asked: string[]][] = [];
  try {
    for (const [lost] of STEPS) {
      const { asked, failure, calls } = await deployments.run({ answers: ANSWERS, lost });
      if (typeof failure === "string" && failure.includes("finished steps are kept")) stopped.push([lost, asked]);
      done.push(...changes(calls));
    }
    expect(stopped).toEqual(STEPS);
    const last = await deployments.run({ answers: ANSWERS });
    expect([last.failure, last.asked]).toEqual([null, []]);
    done.push(...changes(last.calls));
  } finally {
    await deployments.close();
  }
  for (const once of ["POST /d1/database", "POST /r2/buckets", ZONE]) {
    expect(
      done.filter((call) => call === once),
      once,
    ).toHaveLength(1);
  }
  // wrangler repeats the upload whose answer is lost, and Cloudflare refuses migrations that it has. The next run goes on.
  expect(faults).toEqual([expect.stringMatching(/^PUT \S+\/workers\/scripts\/mayfly\?\S+: The migrations are not/)]);
  expect(account.buckets.get("mayfly")?.lifecycle.map(({ id }) => id)).toEqual([
    "Default Multipart Abort Rule",
    "incoming",
    "unfinished",
  ]);
  const [database] = account.databases.values();
  const applied = database?.sqlite
    .prepare("select name from d1_migrations order by id")
    .all()
    .map(({ name }) => name);
  expect(applied).toEqual(
    globSync("migrations/*.sql")
      .map((path) => basename(path))
      .sort(),
  );
  const worker = account.workers.get("mayfly");
  expect(worker).toMatchObject({ crons: ["* * * * *"], domains: ["files.example.com"], workersDev: false });
  expect([...(worker?.secrets.keys() ?? [])].sort()).toEqual([
    "ADMIN_PASSWORD",
    "ADMIN_TOTP_SECRET",
    "ADMIN_USERNAME",
    "BETTER_AUTH_SECRET",
    "DATA_KEY",
    "S3_ACCESS_KEY_ID",
    "S3_SECRET_ACCESS_KEY",
    "STRIPE_SECRET_KEY",
    "STRIPE_WEBHOOK_SECRET",
  ]);
}, 1_800_000);
