import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { CALL_LIMITS } from "#domain/rate-limits.ts";
import { createAccountFixture, type AccountFixture } from "../support/account-fixture.ts";
import { withProviders } from "../support/provider-sign-in.ts";
import { isSocket, requestFor, ROUTES } from "../support/routes.ts";
import { mailTo, queuedMailsSent } from "../support/mails.ts";
import { SAMPLES } from "../support/samples.ts";
import { clientFrom } from "../support/worker-with-env.ts";
import { logInAdmin, putOnPlan, rowOf, sendFile, signUp, type Client } from "../support/worker.ts";

const PASSWORD = "a good password";
const limited = { ...env, RATE_LIMITS: "on" };

const PROVIDERS = { LOGIN_PROVIDERS: withProviders().LOGIN_PROVIDERS };

let fixture: AccountFixture;

beforeAll(async () => {
  fixture = await createAccountFixture();
});

/** Row counts by table, once no mail is on its way from one table to another. */
async function countRows(): Promise<Record<string, number>> {
  await queuedMailsSent();
  const { results } = await env.DB.prepare(
    "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '\\_cf\\_%' escape '\\'",
  ).all<{ name: string }>();
  const counts = results.map(({ name }) => `select '${name}' as name, count(*) as n from "${name}"`);
  const rows: { name: string; n: number }[] = [];
  // D1's limit on compound selects.
  for (let at = 0; at < counts.length; at += 5) {
    const piece = counts.slice(at, at + 5).join(" union all ");
    rows.push(...(await env.DB.prepare(piece).all<{ name: string; n: number }>()).results);
  }
  return Object.fromEntries(rows.map(({ name, n }) => [name, n]));
}

/** Changed row counts by table. */
async function growthSince(before: Record<string, number>): Promise<Record<string, number>> {
  const after = Object.entries(await countRows());
  return Object.fromEntries(
    after.map(([name, n]) => [name, n - (before[name] ?? 0)] as const).filter(([, n]) => n !== 0),
  );
}

type Person = Awaited<ReturnType<typeof signUp>>;

interface Eager {
  /** Writes rows if the call is allowed. */
  body?: (person: Person) => unknown;
  form?: () => FormData;
  /** For a path with an id: creates the record before rows are counted. */
  path?: (person: Person) => Promise<string>;
  settings?: Partial<Env>;
  /** Rows that all allowed calls together leave. */
  rows: Record<string, number>;
}

function form(): FormData {
  const data = new FormData();
  data.set("file", new File(["hello"], "a.txt"));
  return data;
}

/** Rate-limited calls that write. All others leave no row. */
const WRITING: Record<string, Eager> = {
  // Each from a browser without cookies, which is a new device.
  "POST /api/auth/login": {
    body: ({ email }) => ({ email, password: PASSWORD }),
    rows: { sessions: 5, devices: 5, account_events: 5 },
  },
  "POST /api/auth/register": {
    body: () => ({ email: `r-${crypto.randomUUID()}@example.com`, password: PASSWORD }),
    rows: { users: 5, accounts: 5, sessions: 5, devices: 5, account_events: 5 },
  },
  "POST /api/auth/reset-password": {
    body: ({ email }) => ({ email }),
    rows: { verifications: 3, local_mailbox: 3 },
  },
  "POST /api/auth/resend-verification": {
    body: ({ email }) => ({ email }),
    settings: { EMAIL_VERIFICATION: "required" },
    rows: { local_mailbox: 3 },
  },
  "POST /api/auth/change-email": {
    body: () => ({ newEmail: `n-${crypto.randomUUID()}@example.com` }),
    settings: { EMAIL_VERIFICATION: "required" },
    // One mail for each address.
    rows: { email_changes: 3, account_events: 3, local_mailbox: 6 },
  },
  // A new secret takes the place of the one before.
  "POST /api/auth/totp": { rows: { second_factors: 1 } },
  "POST /api/auth/mail-link": {
    body: ({ email }) => ({ email }),
    // The newest mail is the only one that works.
    rows: { local_mailbox: 3, steps: 1 },
  },
  "POST /api/auth/confirm/mail": { rows: { local_mailbox: 3, steps: 1 } },
  "GET /api/auth/provider/:name": {
    path: () => Promise.resolve("/api/auth/provider/club"),
    settings: PROVIDERS,
    rows: { steps: 20 },
  },
  "GET /api/auth/provider/:name/callback": {
    path: () => Promise.resolve("/api/auth/provider/club/callback"),
    settings: PROVIDERS,
    rows: {},
  },
  "POST /api/auth/providers/:name/link": {
    path: () => Promise.resolve("/api/auth/providers/club/link"),
    settings: PROVIDERS,
    rows: { steps: 20 },
  },
  "POST /api/direct-upload/presigned-url": {
    body: () => ({ ...SAMPLES.file, fileSize: 5 }),
    rows: { files: 20, upload_audit_logs: 20 },
  },
  "POST /api/chunked-upload/init": {
    body: () => ({ ...SAMPLES.file, totalSize: "5", totalChunks: "1" }),
    rows: { files: 20, upload_audit_logs: 20 },
  },
  "POST /api/direct-upload/proxy-upload": { form, rows: { files: 20, file_counts: 1, upload_audit_logs: 20 } },
  "POST /api/transfers": { rows: { files: 20, upload_audit_logs: 20 } },
  "POST /api/files/download/:downloadId/report": {
    path: async (person) => `/api/files/download/${(await sendFile(person, "abc")).downloadId}/report`,
    rows: { file_reports: 3, cases: 1 },
  },
  "POST /api/files/:id/share": {
    path: async (person) => `/api/files/${(await sendFile(person, "abc")).uploadId}/share`,
    // Of several calls for one address at once, one mails it.
    body: () => ({ email: `${crypto.randomUUID()}@example.com` }),
    rows: { local_mailbox: 20, recipients: 20 },
  },
  "POST /api/files/:id/recipients/:recipientId/again": {
    path: async (person) => {
      const { uploadId } = await sendFile(person, "abc");
      const email = `${crypto.randomUUID()}@example.com`;
      await person.post(`/api/files/${uploadId}/share`, { email });
      await mailTo(email);
      const { id } = await rowOf<{ id: string }>("select id from recipients where email = ?", email);
      return `/api/files/${uploadId}/recipients/${id}/again`;
    },
    rows: { local_mailbox: 20 },
  },
  // As many as an account may have.
  "POST /api/webhooks": { rows: { webhooks: 5, account_events: 5, local_mailbox: 5 } },
  "POST /api/requests": { rows: { upload_requests: 20 } },
  "POST /api/keys": { rows: { api_keys: 20, local_mailbox: 20 } },
  "POST /api/v1/device": { rows: { device_codes: 10 } },
  "POST /api/contact": { rows: { contact_submissions: 3 } },
  "POST /api/admin/login": {
    body: () => ({ username: env.ADMIN_USERNAME, password: env.ADMIN_PASSWORD }),
    rows: { admin_sessions: 5, admin_audit_logs: 5 },
  },
  "POST /api/diagnostic/send-test-email": { rows: { local_mailbox: 3, admin_audit_logs: 3 } },
  "POST /api/diagnostics/send-test-email": { rows: { local_mailbox: 3, admin_audit_logs: 3 } },
};

/** More than any rule allows. */
const BEYOND = 150;

async function callerNetwork(key: string, person: Person, settings: Env): Promise<Client> {
  const address = `2001:db8:${crypto.randomUUID().slice(0, 4)}:${crypto.randomUUID().slice(0, 4)}::1`;
  const { who } = ROUTES[key] ?? {};
  const cookie = who === "administrator" ? (await logInAdmin()).cookie : who === "anybody" ? "" : person.cookie;
  return clientFrom(address, settings, cookie);
}

describe("calls far above their limit leave only the rows of the allowed calls", () => {
  const keys = Object.entries(ROUTES).flatMap(([key, { limit }]) => (limit in CALL_LIMITS ? [key] : []));

  it("every call that writes has a rate limit", () => {
    expect(Object.keys(WRITING).filter((key) => !keys.includes(key))).toEqual([]);
  });

  it.each(keys)("%s", { tags: "long" }, async (key) => {
    const eager: Eager = WRITING[key] ?? { rows: {} };
    const person = await signUp();
    await putOnPlan(person.email, "professional");
    const caller = await callerNetwork(key, person, { ...limited, ...eager.settings });
    const { path, init } = requestFor(key, fixture);
    const ownPath = eager.path ? await eager.path(person) : path;
    // Only unknown links are counted.
    const requestPath =
      ROUTES[key]?.limit === "unknownDownload" ? path.replace(/(?<=\/download\/)[^/]+/, "A".repeat(22)) : ownPath;
    const send = async () => {
      const response = eager.form
        ? await caller.postForm(requestPath, eager.form())
        : await caller.fetch(requestPath, {
            ...init,
            redirect: "manual",
            ...(eager.body ? { body: JSON.stringify(eager.body(person)) } : {}),
            headers: isSocket(key) ? { upgrade: "websocket" } : { "content-type": "application/json" },
          });
      await response.body?.cancel();
      // People come to some calls by navigation, and a redirect tells them.
      const location = response.headers.get("location") ?? "";
      return location.includes("error=RATE_LIMITED") ? 429 : response.status;
    };
    const before = await countRows();
    const statuses = await Promise.all(Array.from({ length: BEYOND }, send));
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(20);
    await expect.poll(() => growthSince(before), { timeout: 20_000 }).toEqual(eager.rows);
    for (let count = 0; count < 10; count += 1) expect(await send()).toBe(429);
    expect(await growthSince(before)).toEqual(eager.rows);
  });

  it("starts above the free plan's unfinished uploads leave no row either", async () => {
    const person = await signUp();
    const caller = await callerNetwork("POST /api/direct-upload/presigned-url", person, limited);
    const before = await countRows();
    const body = { ...SAMPLES.file, fileSize: 5 };
    for (let count = 1; count <= 15; count += 1) {
      const { status } = await caller.post("/api/direct-upload/presigned-url", body);
      expect([count, status]).toEqual([count, count <= 5 ? 200 : 429]);
    }
    expect(await growthSince(before)).toEqual({ files: 5, upload_audit_logs: 5 });
  });
});

it("a user agent of 100 KB is stored as its first 500 characters in every table", async () => {
  const long = `Browser/${"x".repeat(100_000)}`;
  const headers = { "user-agent": long, "content-type": "application/json" };
  const post = (client: Client, path: string, body: unknown) =>
    client.fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  const person = await signUp();
  expect((await post(person, "/api/auth/login", { email: person.email, password: PASSWORD })).status).toBe(200);
  expect((await post(person, "/api/direct-upload/presigned-url", { ...SAMPLES.file, fileSize: 5 })).status).toBe(200);
  const rejected = { ...SAMPLES.file, fileSize: 5, expiration: "never" };
  expect((await post(person, "/api/direct-upload/presigned-url", rejected)).status).toBe(403);
  expect((await post(person, "/api/contact", SAMPLES.message)).status).toBe(201);
  const { results } = await env.DB.prepare(
    "select name from sqlite_master where type = 'table' and sql like '%user_agent%'",
  ).all<{ name: string }>();
  expect(results.map(({ name }) => name).sort()).toEqual(["contact_submissions", "sessions", "upload_audit_logs"]);
  for (const { name } of results) {
    const longest = await env.DB.prepare(`select max(length(user_agent)) as n from "${name}"`).first("n");
    expect([name, longest]).toEqual([name, 500]);
  }
  const kept = "select max(length(devices.name)) as name, max(length(device)) as device from devices, account_events";
  expect(await env.DB.prepare(kept).first()).toEqual({ name: 500, device: 500 });
  const ofStarts = "select count(*) as n from upload_audit_logs where length(user_agent) = 500";
  expect(await env.DB.prepare(ofStarts).first("n")).toBe(2);
});
