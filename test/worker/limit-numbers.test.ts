import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { GIB } from "#domain/units.ts";
import { callingFrom } from "../support/serving.ts";
import { logInAdmin, putOnPlan, sendFile, signUp, stopClockAt, type Client } from "../support/worker.ts";

/** The numbers of decisions, Limits on calls, are written out here: a number that changes in the code fails a test. */
const limited = { ...env, RATE_LIMITS: "on" };

afterEach(() => {
  vi.useRealTimers();
});

/** An address that has not called before. */
function newAddress(): string {
  const group = () => crypto.randomUUID().slice(0, 4);
  return `2001:db8:${group()}:${group()}::1`;
}

const newEmail = () => `${crypto.randomUUID()}@example.com`;
const from = (address: string, cookie?: string): Client => callingFrom(address, limited, cookie);

/** Makes a caller's call once more. @param count how many calls there were before */
type Repeat = (count: number) => Promise<Response>;

interface Row {
  call: string;
  by: "address" | "account";
  most: number;
  windowSeconds: number;
  /** The status of a call within the limit. */
  taken: number;
  /** A new caller. Whatever the limit does not count by changes with each call, so that no other limit can refuse. */
  caller(): Promise<Repeat> | Repeat;
}

const wrongLogin = (email: string) => ({ email, password: "a wrong password" });
const contactMessage = () => ({ name: "Ada", email: newEmail(), subject: "Hello", message: "A message of mine." });
const unknownLink = () => `/api/files/download/${crypto.randomUUID().replaceAll("-", "").slice(0, 22)}`;

/** Reset links and verification mails are counted together: the calls take turns. */
const accountMail = (count: number) => `/api/auth/${count % 2 === 0 ? "reset-password" : "resend-verification"}`;

async function starter(): Promise<Repeat> {
  const { cookie } = await signUp();
  // More than the plan takes: counted like every start, and nothing is opened. Both ways to start take turns.
  const file = { filename: "a.txt", fileType: "text/plain", expiration: "1d" };
  const calls = [
    ["/api/direct-upload/presigned-url", { ...file, fileSize: GIB }],
    ["/api/chunked-upload/init", { ...file, totalSize: String(GIB), totalChunks: "4096" }],
  ] as const;
  return (count) => {
    const [path, body] = calls[count % 2] ?? calls[0];
    return from(newAddress(), cookie).post(path, body);
  };
}

const ROWS: Row[] = [
  {
    call: "login",
    by: "address",
    most: 5,
    windowSeconds: 60,
    taken: 401,
    caller() {
      const client = from(newAddress());
      return () => client.post("/api/auth/login", wrongLogin(newEmail()));
    },
  },
  {
    call: "admin login",
    by: "address",
    most: 5,
    windowSeconds: 900,
    taken: 401,
    caller() {
      const client = from(newAddress());
      return () => client.post("/api/admin/login", { username: newEmail(), password: "a wrong password" });
    },
  },
  {
    call: "register",
    by: "address",
    most: 5,
    windowSeconds: 3600,
    taken: 201,
    caller() {
      const address = newAddress();
      return () => from(address).post("/api/auth/register", { email: newEmail(), password: "a good password" });
    },
  },
  {
    call: "reset and resend verification",
    by: "account",
    most: 3,
    windowSeconds: 3600,
    taken: 200,
    caller() {
      const email = newEmail();
      return (count) => from(newAddress()).post(accountMail(count), { email });
    },
  },
  {
    call: "reset and resend verification",
    by: "address",
    most: 10,
    windowSeconds: 3600,
    taken: 200,
    caller() {
      const client = from(newAddress());
      return (count) => client.post(accountMail(count), { email: newEmail() });
    },
  },
  {
    call: "contact",
    by: "address",
    most: 3,
    windowSeconds: 3600,
    taken: 201,
    caller() {
      const client = from(newAddress());
      return () => client.post("/api/contact", contactMessage());
    },
  },
  {
    call: "report a file",
    by: "address",
    most: 3,
    windowSeconds: 3600,
    taken: 201,
    async caller() {
      const client = from(newAddress());
      const { downloadId } = await sendFile(await signUp(), "abc");
      return () => client.post(`/api/files/download/${downloadId}/report`, { reason: "other" });
    },
  },
  {
    call: "starting an upload",
    by: "account",
    most: 20,
    windowSeconds: 60,
    taken: 403,
    caller: starter,
  },
  {
    call: "download info",
    by: "address",
    most: 60,
    windowSeconds: 60,
    taken: 200,
    async caller() {
      const client = from(newAddress());
      const { downloadId } = await sendFile(await signUp(), "abc");
      return () => client.fetch(`/api/files/download/${downloadId}`);
    },
  },
  {
    call: "download info of unknown ids",
    by: "address",
    most: 20,
    windowSeconds: 60,
    taken: 404,
    caller() {
      const client = from(newAddress());
      return () => client.fetch(unknownLink());
    },
  },
  {
    call: "test mail",
    by: "address",
    most: 3,
    windowSeconds: 3600,
    taken: 200,
    caller() {
      const address = newAddress();
      // An administrator's session ends before the hour does, so each call has its own.
      return async () => {
        const { cookie } = await logInAdmin();
        return from(address, cookie).post("/api/diagnostic/send-test-email", { email: newEmail() });
      };
    },
  },
];

async function statusOf(answer: Promise<Response>): Promise<number> {
  const response = await answer;
  await response.arrayBuffer();
  return response.status;
}

describe("limits on calls", () => {
  it.each(ROWS)(
    "$call, by $by: $most in $windowSeconds seconds; the next waits as long as that",
    async ({ caller, most, taken, windowSeconds }) => {
      const call = await caller();
      const begin = Date.now();
      stopClockAt(begin);
      const statuses: number[] = [];
      for (let count = 0; count < most; count += 1) statuses.push(await statusOf(call(count)));
      expect(statuses).toEqual(Array(most).fill(taken));

      const refused = await call(most);
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, String(windowSeconds)]);
      expect(await refused.json()).toMatchObject({ code: "RATE_LIMITED", retryAfterSeconds: windowSeconds });

      stopClockAt(begin + windowSeconds * 1000 - 1);
      expect(await statusOf(call(most))).toBe(429);
      stopClockAt(begin + windowSeconds * 1000);
      expect(await statusOf(call(most))).toBe(taken);
    },
  );

  it("login, by account: 10 in 15 minutes, then one every 30 seconds, so that nobody is locked out", async () => {
    const { email } = await signUp();
    const logIn = (password: string) => from(newAddress()).post("/api/auth/login", { email, password });
    const begin = Date.now();
    stopClockAt(begin);
    for (let count = 0; count < 10; count += 1) expect(await statusOf(logIn("a wrong password"))).toBe(401);
    const refused = await logIn("a good password");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "30"]);

    stopClockAt(begin + 29_999);
    expect(await statusOf(logIn("a good password"))).toBe(429);
    stopClockAt(begin + 30_000);
    expect(await statusOf(logIn("a good password"))).toBe(200);
    expect(await statusOf(logIn("a good password"))).toBe(429);

    stopClockAt(begin + 15 * 60_000 - 1);
    expect(await statusOf(logIn("a wrong password"))).toBe(401);
    expect(await statusOf(logIn("a wrong password"))).toBe(429);
    stopClockAt(begin + 15 * 60_000);
    for (let count = 0; count < 8; count += 1) expect(await statusOf(logIn("a wrong password"))).toBe(401);
    expect(await statusOf(logIn("a wrong password"))).toBe(429);
  });

  it.each([
    ["free", 5],
    ["professional", 20],
    ["ultimate", 20],
  ] as const)("unfinished uploads at once: the %s plan takes %i", async (plan, most) => {
    const person = await signUp();
    await putOnPlan(person.email, plan);
    for (let size = 1; size < most; size += 1) await person.startUpload(size);
    const start = () =>
      from(newAddress(), person.cookie).post("/api/direct-upload/presigned-url", {
        filename: "a.txt",
        fileType: "text/plain",
        fileSize: 5,
        expiration: "1d",
      });
    expect(await statusOf(start())).toBe(200);
    const refused = await start();
    expect([refused.status, await refused.json()]).toMatchObject([
      429,
      {
        code: "RATE_LIMITED",
        message: `You have ${most} unfinished uploads, and your plan takes ${most} at once. Finish or discard one on your dashboard, then try again.`,
      },
    ]);
  });
});
