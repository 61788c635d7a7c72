// @module-tag long
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { missingSecrets } from "../../scripts/deploy/secrets.ts";
import { answer, DeployError, type Terminal } from "../../scripts/deploy/terminal.ts";
import { throughPipe } from "../../scripts/deploy/wrangler.ts";
import { prepareZone } from "../../scripts/deploy/zone.ts";
import { describeRelease, type Release } from "../../scripts/release.ts";
import { newBucket } from "#test/support/cloudflare-double/account.ts";
import { changes, startDeployments, type Deployments } from "#test/support/cloudflare-double/deploying.ts";
import { STORAGE_KEYS } from "#test/support/cloudflare-double/server.ts";

const ORIGIN = "https://files.example.com";
const ANSWERS: Record<string, string> = {
  APP_ORIGIN: ORIGIN,
  DATA_LOCATION: "weur",
  CONTACT_EMAIL: "hello@example.com",
  S3_ACCESS_KEY_ID: STORAGE_KEYS.accessKeyId,
  S3_SECRET_ACCESS_KEY: STORAGE_KEYS.secretAccessKey,
  STRIPE_SECRET_KEY: "sk_test_deploy",
};
/** A run starts wrangler a dozen times. */
const RUN_TIMEOUT_MS = 240_000;

let deployments: Deployments;
beforeAll(async () => {
  deployments = await startDeployments();
});
afterAll(() => deployments.close());

describe("a deployment", () => {
  it(
    "stops at a token that Cloudflare rejects, with a message, before any question or change",
    async () => {
      const { asked, failure, calls } = await deployments.run({ token: "a-token-that-has-run-out" });
      expect(failure).toMatch(/^Cloudflare rejected the credentials.*check that it has not expired/);
      expect(failure).toMatch(/Authentication error \[code: 10000\]$/);
      expect([asked, calls]).toEqual([[], []]);
      expect(existsSync(join(deployments.folder, ".deploy.vars"))).toBe(false);
    },
    RUN_TIMEOUT_MS,
  );

  it(
    "creates what is missing and asks for each secret once; an interruption is reported [DEC-19]",
    async () => {
      const cut = "POST /d1/database/:id/query";
      const { asked, told, failure, sold } = await deployments.run({ answers: ANSWERS, cut });
      expect(asked).toEqual([
        "APP_ORIGIN",
        "DATA_LOCATION",
        "CONTACT_EMAIL",
        "MAIL_TRANSPORT",
        "MAIL_FROM",
        "ADMIN_USERNAME",
        "ADMIN_PASSWORD",
        "S3_ACCESS_KEY_ID",
        "S3_SECRET_ACCESS_KEY",
        "STRIPE_SECRET_KEY",
        "STRIPE_PUBLISHABLE_KEY",
      ]);
      expect(told).toContain('create the D1 database "mayfly" in weur, for good');
      expect(told).toContain('create the R2 bucket "mayfly" in weur, for good');
      expect(told).toContain('create the queue "mayfly-downloads"');
      expect(told).toContain(`allow browsers to upload to the bucket from ${ORIGIN} only`);
      expect(failure).toMatch(/^Cloudflare could not be reached.*finished steps are kept/);
      expect(sold).toEqual([`sk_test_deploy ${ORIGIN}`]);

      const { databases, buckets, workers } = deployments.cloudflare.account;
      expect([...databases.values()].map(({ name, place }) => [name, place.location])).toEqual([["mayfly", "weur"]]);
      expect(buckets.get("mayfly")?.place.location).toBe("weur");
      // The same rules as public-fix-cors.
      const allowed = { origins: [ORIGIN], methods: ["PUT"], headers: ["content-type"] };
      const cors = [{ allowed, exposeHeaders: ["ETag"], maxAgeSeconds: 3600 }];
      expect(buckets.get("mayfly")).toMatchObject({
        cors,
        lifecycle: [
          { id: "Default Multipart Abort Rule" },
          {
            id: "incoming",
            enabled: true,
            conditions: { prefix: "incoming/" },
            deleteObjectsTransition: { condition: { type: "Age", maxAge: 86_400 } },
          },
          {
            id: "unfinished",
            enabled: true,
            abortMultipartUploadsTransition: { condition: { type: "Age", maxAge: 7 * 86_400 } },
          },
        ],
      });
      const secrets = workers.get("mayfly")?.secrets ?? new Map<string, string>();
      expect(Object.fromEntries(secrets)).toEqual({
        BETTER_AUTH_SECRET: expect.stringMatching(/^[\w-]{43}$/) as string,
        DATA_KEY: expect.stringMatching(/^[\w-]{43}$/) as string,
        ADMIN_USERNAME: "admin",
        ADMIN_PASSWORD: expect.stringMatching(/^[\w-]{16}$/) as string,
        ADMIN_TOTP_SECRET: expect.stringMatching(/^[A-Z2-7]{32}$/) as string,
        S3_ACCESS_KEY_ID: STORAGE_KEYS.accessKeyId,
        S3_SECRET_ACCESS_KEY: STORAGE_KEYS.secretAccessKey,
        STRIPE_SECRET_KEY: "sk_test_deploy",
        STRIPE_WEBHOOK_SECRET: "whsec_deploy",
      });
      expect(told).toContain(`(admin): ${secrets.get("ADMIN_TOTP_SECRET") ?? ""}`);
      // The QR code takes half a character for each dot of its 41 rows.
      expect(told.split("\n").filter((line) => /^[ ▀▄█]{41,}$/.test(line)).length).toBeGreaterThan(20);
      expect(readFileSync(join(deployments.folder, ".deploy.vars"), "utf8")).toContain(
        "\nADMIN_SECOND_FACTOR=required\n",
      );
      expect(told).toContain(`shown only once: admin / ${secrets.get("ADMIN_PASSWORD") ?? ""}`);
      expect(workers.get("mayfly")?.deployed).toEqual([]);
    },
    RUN_TIMEOUT_MS,
  );

  it(
    "continues after an interruption without creating or asking again",
    async () => {
      const { asked, told, failure, calls } = await deployments.run();
      expect(failure).toBeNull();
      expect(asked).toEqual([]);
      for (const call of [
        "POST /d1/database",
        "POST /r2/buckets",
        "POST /queues",
        "PATCH /workers/scripts/:id/secrets-bulk",
      ]) {
        expect(calls).not.toContain(call);
      }
      expect(told).toContain(`open ${ORIGIN}/admin`);
      expect(told).toContain("Wrote 2 configuration rules to the zone of files.example.com.");
      expect(deployments.cloudflare.account.zone.rules).toEqual([
        {
          description: "Mayfly, programs: files.example.com",
          expression:
            'http.host eq "files.example.com" and (starts_with(http.request.uri.path, "/api/v1/") or ' +
            'starts_with(http.request.uri.path, "/api/stripe/") or starts_with(http.request.uri.path, "/unsubscribe/") or ' +
            'http.request.method eq "PUT" or (http.request.method eq "POST" and http.request.uri.path eq "/"))',
          action: "set_config",
          action_parameters: { bic: false },
        },
        {
          description: "Mayfly, pages: files.example.com",
          expression: 'http.host eq "files.example.com"',
          action: "set_config",
          action_parameters: { email_obfuscation: false, rocket_loader: false, disable_rum: true, disable_zaraz: true },
        },
      ]);

      const { databases, workers } = deployments.cloudflare.account;
      const [[databaseId = "", database] = []] = databases;
      const applied = database?.sqlite.prepare("SELECT name FROM d1_migrations ORDER BY id").all();
      expect(applied?.map(({ name }) => name)).toEqual(
        globSync("migrations/*.sql")
          .map((path) => path.slice(11))
          .sort(),
      );
      const worker = workers.get("mayfly");
      expect(worker).toMatchObject({ crons: ["* * * * *"], domains: ["files.example.com"], workersDev: false });
      expect(worker?.secrets.size).toBe(9);
      const bindings = new Map(worker?.deployed[0]?.bindings.map(({ name, ...binding }) => [name, binding]));
      expect(bindings.get("DB")).toMatchObject({ type: "d1", id: databaseId });
      expect(bindings.get("BUCKET")).toMatchObject({ type: "r2_bucket", bucket_name: "mayfly" });
      expect(bindings.get("DOWNLOADS")).toEqual({ type: "queue", queue_name: "mayfly-downloads" });
      const queues = [...deployments.cloudflare.account.queues.values()];
      expect(queues.find(({ name }) => name === "mayfly-downloads")?.consumer).toMatchObject({
        script: "mayfly",
        deadLetters: "mayfly-dead-letters",
        settings: { batch_size: 100, max_retries: 100, max_wait_time_ms: 1000 },
      });
      for (const [name, settings] of [
        ["mayfly-mails", { batch_size: 10, max_retries: 20, max_wait_time_ms: 0 }],
        ["mayfly-notices", { batch_size: 10, max_retries: 20, max_wait_time_ms: 1000 }],
        ["mayfly-webhooks", { batch_size: 6, max_retries: 5, max_wait_time_ms: 0 }],
        ["mayfly-checks", { batch_size: 1, max_retries: 20, max_wait_time_ms: 0 }],
      ] as const) {
        expect(queues.find((queue) => queue.name === name)?.consumer).toMatchObject({ script: "mayfly", settings });
      }
      expect(queues.find(({ name }) => name === "mayfly-dead-letters")).toMatchObject({ consumer: null });
      expect(bindings.get("PER_MINUTE_60")).toEqual({
        type: "ratelimit",
        namespace_id: expect.stringMatching(/^\d{4,}060$/) as string,
        simple: { limit: 60, period: 60 },
      });
      expect(bindings.get("APP_ENV")).toEqual({ type: "plain_text", text: "production" });
      expect(bindings.get("ADMIN_SECOND_FACTOR")).toEqual({ type: "plain_text", text: "required" });
      expect(bindings.get("APP_ORIGIN")).toEqual({ type: "plain_text", text: ORIGIN });
      expect(bindings.get("MAIL_FROM")).toEqual({ type: "plain_text", text: "Mayfly <no-reply@files.example.com>" });
    },
    RUN_TIMEOUT_MS,
  );

  it(
    "can be repeated: it uploads the Worker and changes nothing else",
    async () => {
      const { cloudflare, folder } = deployments;
      const before = structuredClone(cloudflare.account.buckets);
      const { asked, told, failure, calls } = await deployments.run();
      expect([failure, asked]).toEqual([null, []]);
      expect(told).not.toMatch(/create|ask for these secrets/);
      expect(changes(calls).sort()).toEqual(
        [
          "PUT /r2/buckets/:id/cors",
          "POST /workers/scripts/:id/assets-upload-session",
          "POST /workers/scripts/:id/versions",
          "POST /workers/scripts/:id/deployments",
          "PATCH /workers/scripts/:id/script-settings",
          "POST /workers/scripts/:id/subdomain",
          "PUT /workers/scripts/:id/schedules",
          // Of downloads, mails, notices, webhooks and checks.
          "PUT /queues/:id/consumers/[a-z0-9-]+",
          "PUT /queues/:id/consumers/[a-z0-9-]+",
          "PUT /queues/:id/consumers/[a-z0-9-]+",
          "PUT /queues/:id/consumers/[a-z0-9-]+",
          "PUT /queues/:id/consumers/[a-z0-9-]+",
          "POST /workers/scripts/:id/domains/changeset",
          "PUT /workers/scripts/:id/domains/records",
        ].sort(),
      );
      expect(cloudflare.account.buckets).toEqual(before);
      expect(cloudflare.account.workers.get("mayfly")?.deployed).toHaveLength(2);
      expect(readFileSync(join(folder, ".deploy.vars"), "utf8")).not.toMatch(/SECRET|PASSWORD|KEY/);
      expect(cloudflare.faults).toEqual([]);
    },
    RUN_TIMEOUT_MS,
  );

  it(
    "that renews a secret makes one version, which has the secret, and keeps the others",
    async () => {
      const { cloudflare } = deployments;
      const worker = cloudflare.account.workers.get("mayfly");
      const before = new Map(worker?.secrets);
      const versions = worker?.deployed.length ?? 0;
      const answers = { ADMIN_PASSWORD: "another password" };
      const { asked, failure, calls } = await deployments.run({ answers, renewed: ["ADMIN_PASSWORD"] });
      expect([failure, asked]).toEqual([null, ["ADMIN_USERNAME", "ADMIN_PASSWORD"]]);
      expect(calls.filter((call) => /secrets-bulk|\/versions$|^PUT \/workers\/scripts\/:id$/.test(call))).toEqual([
        "POST /workers/scripts/:id/versions",
      ]);
      expect(worker?.deployed).toHaveLength(versions + 1);
      expect(worker?.secrets).toEqual(before.set("ADMIN_PASSWORD", "another password"));
      expect(cloudflare.faults).toEqual([]);
    },
    RUN_TIMEOUT_MS,
  );

  it(
    "of another release keeps serving the files of the one before, for pages that are open",
    async () => {
      const { cloudflare, folder } = deployments;
      const [path = ""] = globSync("build/client/assets/root-*.js");
      const built = join(folder, "next-build");
      mkdirSync(join(built, "assets"), { recursive: true });
      writeFileSync(join(built, "assets/root-next.js"), "next");
      const { told, failure } = await deployments.run({ built });
      expect(failure).toBeNull();
      expect(told).toMatch(/Keeping \d+ files of former releases, for pages that are open now: [\da-f]{12}\./);
      const read = async (name: string) => (await fetch(`${cloudflare.siteUrl}/${name}`)).text();
      expect(await read("assets/root-next.js")).toBe("next");
      expect(await read(path.slice("build/client/".length))).toBe(readFileSync(path, "utf8"));
      const release = JSON.parse(await read("release.json")) as Release;
      expect(Object.keys(release.files)).toEqual(["/assets/root-next.js"]);
      expect(release.former?.map(({ id }) => id)).toEqual([describeRelease("build/client").id]);
      expect(cloudflare.faults).toEqual([]);
    },
    RUN_TIMEOUT_MS,
  );
});

it("a place that was changed after the first deployment is refused", async () => {
  const { cloudflare, folder } = deployments;
  const file = join(folder, ".deploy.vars");
  const kept = readFileSync(file, "utf8");
  writeFileSync(file, kept.replace("DATA_LOCATION=weur", "DATA_LOCATION=eu"));
  const { failure, calls } = await deployments.run();
  writeFileSync(file, kept);
  expect(String(failure)).toContain(
    "DATA_LOCATION was weur in the last deployment, and is eu now. Data cannot be moved: the Worker would find none of " +
      "its uploads. Set it back in .deploy.vars.",
  );
  expect(changes(calls)).toEqual([]);
  expect(cloudflare.faults).toEqual([]);
});

it("a Worker whose bucket is in another jurisdiction gets no second bucket", async () => {
  const { cloudflare } = deployments;
  const bucket = cloudflare.account.buckets.get("mayfly") ?? newBucket({});
  bucket.place = { jurisdiction: "eu" };
  const { failure, calls } = await deployments.run();
  bucket.place = { location: "weur" };
  expect(String(failure)).toContain(
    'The Worker "mayfly" was deployed before, but there is no bucket "mayfly" outside the EU\'s jurisdiction.',
  );
  expect(changes(calls)).toEqual([]);
}, 240_000);

describe("the pipe that hands secrets to wrangler", () => {
  it("is read once, by a command that wants a file, and is gone afterwards", async () => {
    const [text, path] = await throughPipe("secret", async (path) => [await readFile(path, "utf8"), path] as const);
    expect(text).toBe("secret");
    expect(existsSync(dirname(path))).toBe(false);
  });

  it("waits for no command that ends without reading", async () => {
    // A command may end before or after the other side has opened the pipe.
    for (let times = 0; times < 100; times += 1) {
      const failed = throughPipe("secret", () => Promise.reject(new Error("early")));
      await expect(failed).rejects.toThrow("early");
    }
    await expect(throughPipe("secret", (path) => Promise.resolve(existsSync(path)))).resolves.toBe(true);
  });
});

describe("the zone's rules", () => {
  const told: string[] = [];
  const terminal: Terminal = {
    isInteractive: false,
    print: (line) => told.push(line),
    read: () => Promise.reject(new Error("asked")),
  };
  const prepare = async (origin: string, env: Record<string, string> = {}) => {
    told.length = 0;
    const { apiUrl } = deployments.cloudflare;
    await prepareZone(
      terminal,
      { CLOUDFLARE_API_BASE_URL: apiUrl, CLOUDFLARE_API_TOKEN: "the-good-token", ...env },
      origin,
    );
    return told.join("\n");
  };

  it("of others stay, and those of another site are added", async () => {
    const { zone } = deployments.cloudflare.account;
    const own = { description: "theirs", expression: "true", action: "set_config", action_parameters: { bic: true } };
    zone.rules = [own];
    expect(await prepare("https://b.example.com")).toBe("Wrote 2 configuration rules to the zone of b.example.com.");
    expect(await prepare("https://b.example.com")).toBe("");
    const [, programs] = zone.rules;
    zone.rules[1] = { ...own, description: "Mayfly, programs: b.example.com" };
    expect(await prepare("https://b.example.com")).toBe("Wrote 1 configuration rules to the zone of b.example.com.");
    expect(zone.rules[1]).toEqual(programs);
    expect(zone.rules.map(({ description }) => description)).toEqual([
      "theirs",
      "Mayfly, programs: b.example.com",
      "Mayfly, pages: b.example.com",
    ]);
  });

  it("are left, in words, without a token, without permission, and for a zone of another account", async () => {
    const byHand = 'Set them by hand: docs/operations.md, "Settings of the zone".';
    const left = "The zone's settings are left as they are:";
    expect(await prepare(ORIGIN, { CLOUDFLARE_API_TOKEN: "" })).toBe(
      `${left} that takes CLOUDFLARE_API_TOKEN. ${byHand}`,
    );
    deployments.cloudflare.account.zone.isOpen = false;
    expect(await prepare("https://c.example.com")).toBe(
      `${left} the token has no permission for Zone: Config Rules (edit). ${byHand}`,
    );
    deployments.cloudflare.account.zone.isOpen = true;
    expect(await prepare("https://files.example.net")).toBe(
      `${left} no zone of files.example.net is in this account. ${byHand}`,
    );
    expect(await prepare("https://mayfly.somebody.workers.dev")).toBe("");
    expect(deployments.cloudflare.faults).toEqual([]);
  });
});

describe("the questions", () => {
  const nobody: Terminal = {
    isInteractive: false,
    print: () => undefined,
    read: () => Promise.reject(new Error("asked")),
  };

  it("are answered by the environment without a terminal; missing and invalid answers are named", async () => {
    const question = { name: "CONTACT_EMAIL", text: "Where people may write to.", check: () => null };
    await expect(answer(nobody, { CONTACT_EMAIL: " a@example.com " }, question)).resolves.toBe("a@example.com");
    await expect(answer(nobody, {}, { ...question, fallback: "b@example.com" })).resolves.toBe("b@example.com");
    await expect(answer(nobody, {}, question)).rejects.toThrow(/^CONTACT_EMAIL is not set/);
    const wrong = answer(nobody, { CONTACT_EMAIL: "a" }, { ...question, check: () => "it is too short." });
    await expect(wrong).rejects.toThrow("CONTACT_EMAIL in the environment is not valid: it is too short.");
  });

  it("are repeated until the answer is valid", async () => {
    const typed = ["", "a", "good"];
    const printed: string[] = [];
    const somebody: Terminal = {
      isInteractive: true,
      print: (line) => printed.push(line),
      read: () => Promise.resolve(typed.shift() ?? ""),
    };
    const check = (text: string) => (text === "good" ? null : "it is too short.");
    await expect(answer(somebody, {}, { name: "X", text: "?", check })).resolves.toBe("good");
    expect(printed).toEqual(["  an answer is required.", "  it is too short."]);
  });

  it("ask for secrets that are missing or renewed, and those that belong to them", () => {
    const admin = ["ADMIN_USERNAME", "ADMIN_PASSWORD"];
    const all = ["BETTER_AUTH_SECRET", "DATA_KEY", ...admin, "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"];
    const missing = (renewed: string[], transport = "cloudflare") => [
      ...missingSecrets(new Set(all), renewed, { MAIL_TRANSPORT: transport }),
    ];
    expect(missing([])).toEqual([]);
    expect(missing([], "resend")).toEqual(["RESEND_API_KEY"]);
    expect(missing(["S3_SECRET_ACCESS_KEY"]).sort()).toEqual(["S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"]);
    expect(missing(["STRIPE_SECRET_KEY"])).toContain("STRIPE_WEBHOOK_SECRET");
    expect(missing(["DATA_KEY"])).toEqual(["DATA_KEY_FORMER", "DATA_KEY"]);
    expect([...missingSecrets(new Set(all), [], { ADMIN_SECOND_FACTOR: "required" })]).toEqual(["ADMIN_TOTP_SECRET"]);
    expect(missing(["ADMIN_TOTP_SECRET"])).toEqual(["ADMIN_TOTP_SECRET"]);
    expect(() => missing(["PASSWORD"])).toThrow(DeployError);
  });
});
