import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { describeError } from "#worker/log.ts";
import { interceptQueries } from "../support/query-interceptor.ts";
import { workerWith } from "../support/worker-with-env.ts";
import { stripeEnv } from "../support/stripe.ts";
import { putIncoming, Client, contentPath } from "../support/worker.ts";

let lines: string[] = [];

beforeEach(() => {
  lines = [];
  const record = (...what: unknown[]) => {
    lines.push(what.map((part) => (typeof part === "string" ? part : JSON.stringify(part))).join(" "));
  };
  for (const level of ["log", "warn", "error", "info", "debug"] as const)
    vi.spyOn(console, level).mockImplementation(record);
});

afterEach(() => {
  vi.restoreAllMocks();
});

function entriesOf(event: string): Record<string, unknown>[] {
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter((line) => line.event === event);
}

const PASSWORD = "a password nobody may read";

/** Makes requests of all kinds. @returns their number, and the secrets that must not be logged */
async function useEverything(settings: Env): Promise<{ requests: number; secrets: string[] }> {
  let requests = 0;
  const send = workerWith(settings);
  const counted = (request: Request) => {
    requests += 1;
    request.headers.set("user-agent", "agent-of-a-person");
    request.headers.set("cf-connecting-ip", "203.0.113.77");
    return send(request);
  };
  const [person, visitor, admin] = [new Client("", counted), new Client("", counted), new Client("", counted)];
  const email = `person-${crypto.randomUUID()}@example.com`;
  await person.post("/api/auth/register", { email, password: PASSWORD });
  const { uploadId, downloadId, presignedUrl } = await person.startUpload(5, { filename: "a secret name.txt" });
  const parts = await person.startUpload(20_000_000, { filename: "a secret name.txt" });
  await person.post("/api/direct-upload/sign-parts", { downloadId: parts.downloadId, parts: [1, 2] });
  await putIncoming(uploadId, "bytes");
  await person.complete(downloadId);
  const pages = [
    "/",
    "/dashboard",
    "/dashboard.data",
    "/account",
    `/download/${downloadId}`,
    `/download/${downloadId}.data`,
  ];
  const calls = [
    contentPath(downloadId),
    `/api/files/download/${downloadId}`,
    `/ws?id=${downloadId}`,
    "/api/files?q=a-secret-word",
  ];
  const tokens = [
    "/api/auth/verify-email?token=a-secret-token",
    "/reset-password?token=a-secret-token",
    "/a-secret-path",
  ];
  for (const path of [...pages, ...calls, ...tokens]) await (await person.fetch(path)).arrayBuffer();
  await visitor.post("/api/auth/login", { email, password: `${PASSWORD}!` });
  await visitor.post("/api/auth/reset-password", { token: "a-secret-token", newPassword: PASSWORD });
  await visitor.post("/api/contact", { name: "Ann", email, subject: "Words", message: "a secret message" });
  await visitor.fetch("/api/stripe/webhook", {
    method: "POST",
    body: "{}",
    headers: { "stripe-signature": "t=1,v1=a-secret-signature" },
  });
  await visitor.post("/api/auth/login", "{ this is not JSON, a-secret-word");
  await admin.post("/api/admin/login", { username: env.ADMIN_USERNAME, password: env.ADMIN_PASSWORD });
  await (await admin.fetch(`/admin/dashboard?q=${email}`)).arrayBuffer();
  const cookies = [person.cookie, admin.cookie].map((cookie) => cookie.split("=")[1] ?? "");
  const query = new URL(presignedUrl).searchParams;
  return {
    requests,
    secrets: [
      email,
      PASSWORD,
      env.ADMIN_PASSWORD,
      env.BETTER_AUTH_SECRET,
      env.DATA_KEY,
      downloadId,
      parts.downloadId,
      ...cookies,
      query.get("X-Amz-Signature") ?? "X-Amz",
      "X-Amz",
      "a secret name",
      "a-secret",
      "a secret message",
      "203.0.113.77",
      "agent-of-a-person",
      "example.com",
    ].filter((secret) => secret !== ""),
  };
}

function expectNoneOf(secrets: string[]): void {
  expect(secrets.length).toBeGreaterThan(10);
  const all = lines.join("\n");
  for (const secret of secrets) expect(all.includes(secret), `the log has ${secret}`).toBe(false);
}

describe("the log", () => {
  it("has one entry per request with route, status and duration, and no secrets", async () => {
    const { requests, secrets } = await useEverything(stripeEnv);
    expectNoneOf(secrets);
    const entries = entriesOf("request");
    expect(entries).toHaveLength(requests);
    for (const line of entries)
      expect(Object.keys(line)).toEqual(["event", "method", "route", "status", "ms", "requestId"]);
    expect(new Set(entries.map(({ requestId }) => requestId)).size).toBe(requests);
    expect(entries.map(({ method, route }) => `${String(method)} ${String(route)}`)).toEqual(
      expect.arrayContaining([
        "POST /api/direct-upload/presigned-url",
        "GET /api/files/download/:downloadId/content",
        "GET /ws",
        "GET *",
        "GET /",
        "GET /dashboard",
        "GET /download/:downloadId",
        "GET /reset-password",
        "GET /api/auth/verify-email",
      ]),
    );
  });

  it("has no secrets when the database fails either, and names the failed request", async () => {
    const { secrets } = await useEverything(stripeEnv);
    const { cookie } = await signUpWithPassword();
    lines = [];
    const broken = interceptQueries(env.DB, (queries) => failing(queries.flatMap(({ values }) => values)));
    const send = workerWith({ ...env, DB: broken });
    const calls: [string, RequestInit][] = [
      ["/api/files", {}],
      ["/api/auth/login", json({ email: "person-x@example.com", password: PASSWORD })],
      ["/api/contact", json({ name: "Ann", email: "a@example.com", subject: "Words", message: "a secret message" })],
      [contentPath("A-secret-link-000000AA"), {}],
      ["/download/A-secret-link-000000AA", {}],
      ["/dashboard.data", {}],
    ];
    for (const [path, init] of calls) {
      const headers = { ...(init.headers as Record<string, string> | undefined), cookie };
      const response = await send(new Request(new URL(path, env.APP_ORIGIN), { ...init, headers }));
      expect([path, response.status]).toEqual([path, 500]);
      const id = response.headers.get("x-request-id") ?? "";
      const body = await response.text();
      if (!path.endsWith(".data")) expect(body).toContain(id);
      expect(body).not.toMatch(/select .* from|insert into|D1_ERROR|\.ts:/);
      const entry = entriesOf("request").at(-1);
      expect(entry).toMatchObject({ requestId: id, status: 500 });
      const faults = [...entriesOf("request.failed"), ...entriesOf("page.failed")].filter(
        ({ requestId }) => requestId === id,
      );
      expect(faults.length).toBeGreaterThan(0);
      expect(faults[0]?.error).toMatch(/D1_ERROR: it is down|Failed to get session/);
    }
    expectNoneOf([...secrets, cookie.split("=")[1] ?? "", "A-secret-link", "person-x"]);
  });

  it("takes a request id only from a valid CF-Ray header", async () => {
    const ask = async (ray: string) => {
      const headers = { "cf-ray": ray, "x-request-id": "mine" };
      return (await workerWith(env)(new Request(`${env.APP_ORIGIN}/api/auth/me`, { headers }))).headers.get(
        "x-request-id",
      );
    };
    expect(await ask("8c1f0e9a2b3c4d5e-AMS")).toBe("8c1f0e9a2b3c4d5e-AMS");
    expect(await ask('a secret"},{"event":"forged')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("has an error's message and stack without the query strings of URLs", () => {
    const cause = new Error("PUT https://store.example.com/a/b?X-Amz-Signature=abc&x=(1) failed");
    const text = describeError(new Error("storing failed", { cause }));
    expect(text).toMatch(/storing failed\n\s+at /);
    expect(text).toContain("https://store.example.com/a/b?… failed");
    expect(describeError({ token: "abc" })).toBe("object");
  });

  it("has R2's status when a CORS repair fails, not the SDK's parse error", async () => {
    // Not an S3 API.
    const send = workerWith({ ...env, S3_ENDPOINT: env.STRIPE_API_URL });
    const address = new URL("/api/diagnostics/public-fix-cors", env.APP_ORIGIN);
    expect((await send(new Request(address, { method: "POST" }))).status).toBe(502);
    expect(entriesOf("cors.update_failed")).toMatchObject([
      { error: expect.stringMatching(/the store answered 4\d\d/) as string },
    ]);
  });
});

function failing(values: unknown[]): never {
  throw new Error("D1_ERROR: it is down", { cause: values });
}

function json(body: unknown): RequestInit {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

async function signUpWithPassword(): Promise<Client> {
  const client = new Client("", workerWith(env));
  const answer = await client.post("/api/auth/register", {
    email: `p-${crypto.randomUUID()}@example.com`,
    password: PASSWORD,
  });
  expect(answer.status).toBe(201);
  return client;
}
