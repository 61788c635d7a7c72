import { env } from "cloudflare:workers";
import { createExecutionContext, runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import { callerNetwork } from "#domain/ip-address.ts";
import { CALL_LIMITS, maxUnfinishedUploads, type RateLimitedCall, type RateLimitRule } from "#domain/rate-limits.ts";
import { PLAN_IDS } from "#domain/plans.ts";
import { MINUTE_MS } from "#domain/units.ts";
import { createApp } from "#worker/app.ts";
import { servicesFor } from "#worker/services.ts";
import worker from "#worker/index.ts";
import { enforceRateLimit, giveBackRateLimit, isWithinRateLimit } from "#worker/limits/enforce-rate-limit.ts";
import { readSettings } from "#worker/settings.ts";
import { limitedEnv } from "../support/limited-env.ts";
import { interceptQueries } from "../support/query-interceptor.ts";
import { clientFrom } from "../support/worker-with-env.ts";
import { Client, contentPath, monthlyUsage, putOnPlan, sendFile, signUp } from "../support/worker.ts";

const limited: Env = { ...env, RATE_LIMITS: "on" };
const services = servicesFor(limited);
const api = createApp();

function newCaller(ip = `2001:db8:${crypto.randomUUID().slice(0, 4)}:${crypto.randomUUID().slice(0, 4)}::1`) {
  const key = { id: crypto.randomUUID(), callsPerMinute: 300 };
  return { ip, account: `${crypto.randomUUID()}@example.com`, link: crypto.randomUUID(), key };
}

/**
 * The bindings' windows are the minutes of the machine's clock. Calls that go on beyond a minute's end say nothing, so
 * others are made. @param run makes the calls of a new caller
 */
async function inOneMinute<Result>(run: () => Promise<Result>): Promise<Result> {
  const currentMinute = () => Math.floor(Date.now() / MINUTE_MS);
  for (;;) {
    const begun = currentMinute();
    const result = await run();
    if (currentMinute() === begun) return result;
  }
}

const SUBJECTS = {
  address: ["ip"],
  account: ["account"],
  key: ["key"],
  link: ["link"],
  linkAndAddress: ["link", "ip"],
} as const;

describe.each(Object.keys(CALL_LIMITS) as RateLimitedCall[])("%s", { tags: "long" }, (call) => {
  const rules: readonly RateLimitRule[] = CALL_LIMITS[call];

  it.each(rules)("allows $maxCalls calls in $windowMs ms per $by", async (rule) => {
    const { allowed, next } = await inOneMinute(async () => {
      const caller = newCaller();
      // All else changes with each call, so that only this rule applies.
      const same = Object.fromEntries(SUBJECTS[rule.by].map((name) => [name, caller[name]]));
      const isAllowed = () => isWithinRateLimit(services, call, { ...newCaller(), ...same });
      return {
        allowed: await Promise.all(Array.from({ length: rule.maxCalls }, isAllowed)),
        next: await isAllowed(),
      };
    });
    expect(allowed).toEqual(Array(rule.maxCalls).fill(true));
    expect(next).toBe(false);
    await enforceRateLimit(services, call, newCaller());
  });
});

describe("a limit that a binding counts", () => {
  it("refuses the call after its last, of one address alone, for at most a minute [LIM-20]", async () => {
    const refused = await inOneMinute(async () => {
      const caller = newCaller();
      for (let count = 0; count < 60; count += 1) await enforceRateLimit(services, "downloadInfo", caller);
      return enforceRateLimit(services, "downloadInfo", caller).catch((error: unknown) => error);
    });
    expect(refused).toMatchObject({
      code: "RATE_LIMITED",
      message: "Too many attempts. Please wait 60 seconds and try again.",
      details: { retryAfterSeconds: 60 },
    });
    await enforceRateLimit(services, "downloadInfo", newCaller());
  });

  it("holds no longer than the binding says", async () => {
    let success = false;
    const PER_MINUTE_60 = { limit: () => Promise.resolve({ success }) };
    const own = servicesFor({ ...limitedEnv(), PER_MINUTE_60 });
    const caller = newCaller();
    await expect(enforceRateLimit(own, "downloadInfo", caller)).rejects.toMatchObject({ code: "RATE_LIMITED" });
    success = true;
    await enforceRateLimit(own, "downloadInfo", caller);
  });

  it("refuses nobody, and is logged, if the binding fails or is missing [LIM-20]", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const failing = { limit: () => Promise.reject(new Error("it is down")) };
    const missing = undefined as unknown as RateLimit;
    for (const PER_MINUTE_60 of [failing, missing]) {
      await enforceRateLimit(servicesFor({ ...limitedEnv(), PER_MINUTE_60 }), "downloadInfo", newCaller());
    }
    const lines = logged.mock.calls.map(([line]) => JSON.parse(String(line)) as Record<string, unknown>);
    logged.mockRestore();
    expect(lines).toMatchObject([
      { event: "rate_limit.not_counted", callsPerMinute: 60, error: expect.stringContaining("it is down") as string },
      { event: "rate_limit.not_counted", callsPerMinute: 60 },
    ]);
  });

  it("is asked before the database, which a refused call never reaches", async () => {
    const { downloadId } = await sendFile(await signUp(), "abc");
    const texts: string[] = [];
    const DB = interceptQueries(env.DB, (queries, proceed) => {
      texts.push(...queries.map(({ text }) => text));
      return proceed();
    });
    const refusing = { limit: () => Promise.resolve({ success: false }) };
    for (const path of [`/api/files/download/${downloadId}`, `/api/files/download/${downloadId}/entries`]) {
      const client = clientFrom(newCaller().ip, {
        ...limitedEnv({ ...env, DB }),
        PER_MINUTE_60: refusing,
        PER_MINUTE_120: refusing,
      });
      expect((await client.fetch(path)).status).toBe(429);
    }
    expect(texts).toEqual([]);
  });

  it("leaves a key's own lower limit to a Durable Object [KEY-8]", async () => {
    const asked: string[] = [];
    const counting = (name: string): RateLimit => ({
      limit: () => {
        asked.push(name);
        return Promise.resolve({ success: true });
      },
    });
    const own = servicesFor({
      ...limitedEnv(),
      PER_MINUTE_300: counting("PER_MINUTE_300"),
      PER_MINUTE_900: counting("PER_MINUTE_900"),
    });
    const slow = { ...newCaller(), key: { id: crypto.randomUUID(), callsPerMinute: 2 } };
    for (let count = 0; count < 2; count += 1) await enforceRateLimit(own, "v1", slow);
    await expect(enforceRateLimit(own, "v1", slow)).rejects.toMatchObject({ code: "RATE_LIMITED" });
    expect(new Set(asked)).toEqual(new Set(["PER_MINUTE_900"]));
    await enforceRateLimit(own, "v1", newCaller());
    expect(asked).toContain("PER_MINUTE_300");
  });
});

describe("a link's password", () => {
  it("may be tried five times from an address; another address and another link have their own", async () => {
    const caller = newCaller();
    for (let tried = 0; tried < 5; tried += 1) await enforceRateLimit(services, "unlock", caller);
    await expect(enforceRateLimit(services, "unlock", caller)).rejects.toMatchObject({ code: "RATE_LIMITED" });
    await enforceRateLimit(services, "unlock", { ...caller, ip: newCaller().ip });
    await enforceRateLimit(services, "unlock", { ...caller, link: newCaller().link });
  });

  it("may be right fifty times from one address, and after that be wrong five times", async () => {
    const caller = newCaller();
    for (let person = 0; person < 50; person += 1) {
      await enforceRateLimit(services, "unlock", caller);
      await giveBackRateLimit(services, "unlock", caller);
    }
    for (let tried = 0; tried < 5; tried += 1) await enforceRateLimit(services, "unlock", caller);
    await expect(enforceRateLimit(services, "unlock", caller)).rejects.toMatchObject({ code: "RATE_LIMITED" });
  });

  it("that was right frees the place of a caller who was refused meanwhile", async () => {
    const caller = newCaller();
    for (let tried = 0; tried < 5; tried += 1) await enforceRateLimit(services, "unlock", caller);
    await expect(enforceRateLimit(services, "unlock", caller)).rejects.toMatchObject({ code: "RATE_LIMITED" });
    await giveBackRateLimit(services, "unlock", caller);
    await enforceRateLimit(services, "unlock", caller);
  });

  it("gives nothing back that was not taken", async () => {
    const caller = newCaller();
    await giveBackRateLimit(services, "unlock", caller);
    for (let tried = 0; tried < 5; tried += 1) await enforceRateLimit(services, "unlock", caller);
    await expect(enforceRateLimit(services, "unlock", caller)).rejects.toMatchObject({ code: "RATE_LIMITED" });
  });
});

describe("a rate limit", () => {
  it("counts an IPv6 /64 network as one caller [LIM-1]", async () => {
    const { maxCalls } = CALL_LIMITS.register[0];
    for (let host = 1; host <= maxCalls; host += 1)
      await enforceRateLimit(services, "register", newCaller(`2001:db8:7:7::${host}`));
    const neighbour = enforceRateLimit(services, "register", newCaller("2001:db8:7:7:ffff::9"));
    await expect(neighbour).rejects.toMatchObject({ code: "RATE_LIMITED" });
    await enforceRateLimit(services, "register", newCaller("2001:db8:7:8::1"));
  });

  it("trusts only CF-Connecting-IP, and answers 429 with Retry-After [LIM-2]", async () => {
    const address = `198.51.100.${Math.ceil(Math.random() * 250)}`;
    const attempt = (count: number) =>
      api.fetch(
        new Request(new URL("/api/auth/login", env.APP_ORIGIN), {
          method: "POST",
          headers: {
            "content-type": "application/json",
            "cf-connecting-ip": address,
            "x-forwarded-for": `203.0.113.${count}`,
          },
          body: JSON.stringify({ email: `${crypto.randomUUID()}@example.com`, password: "whatever" }),
        }),
        limited,
      );
    const { maxCalls } = CALL_LIMITS.login[0];
    for (let count = 0; count < maxCalls; count += 1) expect((await attempt(count)).status).toBe(401);
    const rejected = await attempt(maxCalls);
    expect(rejected.status).toBe(429);
    expect(Number(rejected.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await rejected.json()).toMatchObject({
      code: "RATE_LIMITED",
      message: expect.stringContaining("wait") as string,
    });
  });

  it("deletes its counter when all calls have expired", async () => {
    const caller = newCaller();
    await enforceRateLimit(services, "register", caller);
    const stub = env.LIMITERS.get(env.LIMITERS.idFromName(`register:address:${callerNetwork(caller.ip)}`));
    expect(await runDurableObjectAlarm(stub)).toBe(true);
    for (let count = 0; count < CALL_LIMITS.register[0].maxCalls; count += 1)
      await enforceRateLimit(services, "register", caller);
  });

  it("is turned off by RATE_LIMITS = off, which production rejects [LIM-6]", async () => {
    const caller = newCaller();
    const lifted = servicesFor({ ...env, RATE_LIMITS: "off" });
    for (let count = 0; count < 50; count += 1) await enforceRateLimit(lifted, "register", caller);
    expect(() => readSettings({ ...env, RATE_LIMITS: "off", APP_ENV: "production" })).toThrow(/RATE_LIMITS/);
    expect(
      readSettings({ ...env, RATE_LIMITS: "on", MAIL_TRANSPORT: "cloudflare", APP_ENV: "production" }).rateLimits,
    ).toBe("on");
  });
});

/** Decision 019. */
describe("looking up links", () => {
  /** Requests from a new IP address. */
  function newVisitor(): (path: string) => Promise<Response> {
    const { ip: address } = newCaller();
    const environment = limitedEnv();
    return async (path) => {
      const headers = { "cf-connecting-ip": address, "sec-fetch-site": "none" };
      return worker.fetch(
        new Request(new URL(path, env.APP_ORIGIN), { headers }),
        environment,
        createExecutionContext(),
      );
    };
  }

  async function statusesOf(request: (path: string) => Promise<Response>, paths: string[]): Promise<number[]> {
    const statuses: number[] = [];
    for (const path of paths) {
      const answer = await request(path);
      await answer.arrayBuffer();
      statuses.push(answer.status);
    }
    return statuses;
  }

  const unknownId = () => crypto.randomUUID().replaceAll("-", "").slice(0, 22);

  it("is limited to 60 per minute and IP address, page and API together; downloads are not counted [LIM-13]", async () => {
    const { downloadId } = await sendFile(await signUp(), "abc");
    const [info, page] = [`/api/files/download/${downloadId}`, `/download/${downloadId}`];
    const request = newVisitor();
    const { maxCalls } = CALL_LIMITS.downloadInfo[0];
    const paths = Array.from({ length: maxCalls }, (_, index) => (index % 20 === 0 ? page : info));
    expect(new Set(await statusesOf(request, paths))).toEqual(new Set([200]));
    const [rejectedInfo, rejectedPage] = [await request(info), await request(page)];
    expect(rejectedInfo.status).toBe(429);
    expect(await rejectedInfo.json()).toMatchObject({ code: "RATE_LIMITED" });
    expect(rejectedPage.status).toBe(429);
    expect(rejectedPage.headers.get("retry-after")).toBe("60");
    const html = await rejectedPage.text();
    expect(html).toContain("Please wait 60 seconds");
    expect(html).not.toContain("a file.txt");
    expect(await statusesOf(request, [contentPath(downloadId), `${info}/preview`])).toEqual([200, 200]);
    expect(await statusesOf(newVisitor(), [info])).toEqual([200]);
  });

  it("is limited to 20 unknown links per minute and IP address, over all routes [LIM-13]", async () => {
    const { downloadId } = await sendFile(await signUp(), "abc");
    const request = newVisitor();
    const { maxCalls } = CALL_LIMITS.unknownDownload[0];
    const anyAddress = (index: number) => {
      const info = `/api/files/download/${unknownId()}`;
      return [info, `${info}/content`, `${info}/preview`, `/download/${unknownId()}`][index % 4] ?? info;
    };
    const paths = Array.from({ length: maxCalls + 4 }, (_, index) => anyAddress(index));
    const statuses = await statusesOf(request, paths);
    expect(statuses).toEqual([...Array<number>(maxCalls).fill(404), 429, 429, 429, 429]);
    expect(await statusesOf(request, [`/api/files/download/${downloadId}`, contentPath(downloadId)])).toEqual([
      200, 200,
    ]);
  });
});

describe("unfinished uploads", () => {
  /** The user, with rate limits on. */
  const withLimits = (person: Client) => new Client(person.cookie, (request) => api.fetch(request, limited));

  it.each(PLAN_IDS)(
    "are limited on the %s plan, also when started concurrently; a cancelled one makes room [LIM-12]",
    async (plan) => {
      const person = await signUp();
      await putOnPlan(person.email, plan);
      const maxUploads = maxUnfinishedUploads(plan);
      const free = Array.from({ length: maxUploads - 2 }, (_, index) => person.startUpload(index + 1));
      const started = await Promise.all(free);
      const body = { filename: "a.txt", fileType: "text/plain", fileSize: 5, expiration: "1d" };
      const start = () => withLimits(person).post("/api/direct-upload/presigned-url", body);
      const statuses = (await Promise.all([start(), start(), start(), start()])).map(({ status }) => status);
      expect(statuses.sort()).toEqual([200, 200, 429, 429]);
      const before = await monthlyUsage(person.email);
      const rejected = await start();
      expect([rejected.status, await rejected.json()]).toMatchObject([
        429,
        { code: "RATE_LIMITED", message: expect.stringContaining(`${maxUploads} unfinished uploads`) as string },
      ]);
      expect(rejected.headers.get("retry-after")).toBe("60");
      expect(await monthlyUsage(person.email)).toEqual(before);
      await person.post("/api/direct-upload/cancel", { downloadId: started[0]?.downloadId });
      expect((await start()).status).toBe(200);
    },
  );

  it("are not limited if rate limits are off", async () => {
    const person = await signUp();
    const maxUploads = maxUnfinishedUploads("free");
    for (let size = 1; size <= maxUploads + 1; size += 1) await person.startUpload(size);
  });
});
