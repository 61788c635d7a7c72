import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { CHUNK, init, put } from "#test/support/chunked.ts";
import { mailTo } from "#test/support/mails.ts";
import { clientFrom, workerWith } from "#test/support/worker-with-env.ts";
import {
  answerOf,
  runSql,
  Client,
  monthlyUsage,
  patternBytes,
  putOnPlan,
  rowOf,
  sendFile,
  signUp,
} from "#test/support/worker.ts";

const visitor = new Client();
const MB = 1024 ** 2;
const GB = 1024 ** 3;

describe("registration answers", () => {
  const register = (body: Record<string, unknown>) => answerOf(visitor.post("/api/auth/register", body));

  it("a taken address is rejected with 'Email already registered' [AUTH-10, ERR-11]", async () => {
    const { email } = await signUp();
    expect(await register({ email, password: "a good password" })).toEqual([
      409,
      { code: "EMAIL_TAKEN", message: "Email already registered" },
    ]);
  });

  it("a password needs at least 6 characters", async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    expect(await register({ email, password: "12345" })).toMatchObject([
      400,
      { field: "password", message: "Password must be at least 6 characters" },
    ]);
    expect(await register({ email, password: "123456" })).toMatchObject([
      201,
      { message: "Account created successfully", user: { email, planType: "free" } },
    ]);
  });
});

describe("password reset answers", () => {
  it("the answer says that a link is on its way, and the mail links to the reset page [AUTH-7, ERR-15]", async () => {
    const { email } = await signUp();
    expect(await answerOf(visitor.post("/api/auth/reset-password", { email }))).toEqual([
      200,
      { message: "If this address has an account, a link is on its way to it." },
    ]);
    expect((await mailTo(email)).text).toContain(`${env.APP_ORIGIN}/reset-password?token=`);
  });

  it("a missing address is rejected with 'Please enter a valid email address'", async () => {
    expect(await answerOf(visitor.post("/api/auth/reset-password", { email: "" }))).toMatchObject([
      400,
      { field: "email", message: "Please enter a valid email address" },
    ]);
  });
});

describe("logout", () => {
  it("logout ends the session and removes its cookie [AUTH-15]", async () => {
    const person = await signUp();
    const copied = new Client(person.cookie);
    const response = await person.post("/api/auth/logout", {});
    expect([response.status, await response.json()]).toEqual([200, { user: null }]);
    const removed = response.headers.getSetCookie().filter((cookie) => cookie.includes("session_token="));
    expect(removed).toEqual([expect.stringMatching(/session_token=; Max-Age=0;/)]);
    for (const client of [person, copied]) {
      expect(await answerOf(client.fetch("/api/auth/me"))).toEqual([200, null]);
    }
  });
});

describe("a file that is too large for a plan", () => {
  async function startBothWays(client: Client, sizeBytes: number): Promise<[number, Record<string, unknown>][]> {
    const file = { filename: "a.bin", fileType: "", expiration: "1d" };
    const totalChunks = String(Math.ceil(sizeBytes / CHUNK));
    return [
      await answerOf(client.post("/api/direct-upload/presigned-url", { ...file, fileSize: sizeBytes })),
      await answerOf(client.post("/api/chunked-upload/init", { ...file, totalSize: String(sizeBytes), totalChunks })),
    ];
  }

  it.each(["free", "professional", "ultimate"] as const)(
    "a file above 50 GB is rejected on the %s plan with the limit of all plans [VAL-9]",
    async (plan) => {
      const person = await signUp();
      await putOnPlan(person.email, plan);
      const message = "The maximum file size allowed is 50 GB per file for all subscription plans.";
      for (const answer of await startBothWays(person, 50 * GB + 1)) {
        expect(answer).toEqual([413, { code: "FILE_TOO_LARGE", message }]);
      }
      expect(await monthlyUsage(person.email)).toEqual({ bytes: 0, transfers: 0 });
    },
  );

  it.each([
    ["free", "500 MB", 500 * MB],
    ["professional", "10 GB", 10 * GB],
  ] as const)(
    "a file too large for the %s plan is rejected with its limit, %s [VAL-10, VAL-11]",
    async (plan, size, sizeBytes) => {
      const person = await signUp();
      await putOnPlan(person.email, plan);
      const message = `This file is larger than your plan allows (${size}). Upgrade to send it.`;
      for (const answer of await startBothWays(person, sizeBytes + 1)) {
        expect(answer).toEqual([403, { code: "PLAN_LIMIT_EXCEEDED", planLimitExceeded: true, message }]);
      }
      expect(await monthlyUsage(person.email)).toEqual({ bytes: 0, transfers: 0 });
      expect((await startBothWays(person, sizeBytes))[0]?.[0]).toBe(200);
    },
  );
});

describe("a chunk that is too large", () => {
  it("a chunk that is too large is 413 CHUNK_TOO_LARGE with the upload's chunk size [ERR-72]", async () => {
    const person = await signUp();
    const { uploadId } = await init(person, 2 * CHUNK);
    expect(await answerOf(put(person, uploadId, 0, patternBytes(CHUNK + 1)))).toEqual([
      413,
      {
        code: "CHUNK_TOO_LARGE",
        error: "CHUNK_TOO_LARGE",
        message: "The chunk is larger than this upload allows.",
        maxChunkSize: 262_144,
      },
    ]);
  });
});

describe("deleting a file", () => {
  it("deleting a file answers 'File deleted', and 404 for a file that does not exist [ERR-28]", async () => {
    const person = await signUp();
    const { uploadId } = await sendFile(person, "abc");
    expect(await answerOf(person.delete(`/api/files/${uploadId}`))).toEqual([200, { message: "File deleted" }]);
    expect(await answerOf(person.delete(`/api/files/${uploadId}`))).toEqual([
      404,
      { code: "FILE_NOT_FOUND", message: "This file does not exist, or the link is incorrect." },
    ]);
  });
});

describe("a failed login to the admin area", () => {
  const logIn = (client: Client, username: string, password: string) =>
    answerOf(client.post("/api/admin/login", { username, password }));

  it("answers which field is missing, or 'Invalid credentials' [ERR-51]", async () => {
    expect(await logIn(visitor, env.ADMIN_USERNAME, "wrong")).toEqual([
      401,
      { code: "ADMIN_CREDENTIALS", message: "Invalid credentials" },
    ]);
    expect(await logIn(visitor, "", "wrong")).toMatchObject([400, { message: "Username is required" }]);
    expect(await logIn(visitor, "admin", "")).toMatchObject([400, { message: "Password is required" }]);
  });

  it("asks to verify the address first, if verification is required [ERR-51]", async () => {
    const { email, id } = await signUp();
    await runSql("update users set is_admin = 1 where id = ?", id);
    const strict = new Client("", workerWith({ ...env, EMAIL_VERIFICATION: "required" }));
    expect(await logIn(strict, email, "a good password")).toEqual([
      403,
      {
        code: "EMAIL_UNVERIFIED",
        message: "Please verify your email before logging in. Check your inbox for the verification link.",
      },
    ]);
    expect(await rowOf("select count(*) as n from admin_sessions where user_id = ?", id)).toEqual({ n: 0 });
  });

  it("says how long to wait after too many attempts [ERR-51]", async () => {
    const client = clientFrom("198.51.100.99", { ...env, RATE_LIMITS: "on" });
    for (let count = 0; count < 5; count += 1) await logIn(client, env.ADMIN_USERNAME, "wrong");
    expect(await logIn(client, env.ADMIN_USERNAME, env.ADMIN_PASSWORD)).toMatchObject([
      429,
      { code: "RATE_LIMITED", message: "Too many attempts. Please wait 15 minutes and try again." },
    ]);
  });
});
