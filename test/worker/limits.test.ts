import { env } from "cloudflare:workers";
import { createExecutionContext, runDurableObjectAlarm } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { callerNetwork } from "#domain/ip-address.ts";
import { CALL_LIMITS, maxUnfinishedUploads, type RateLimitedCall, type RateLimitRule } from "#domain/rate-limits.ts";
import { PLAN_IDS } from "#domain/plans.ts";
import { createApp } from "#worker/app.ts";
import { servicesFor } from "#worker/services.ts";
import worker from "#worker/index.ts";
import { enforceRateLimit } from "#worker/limits/rate-limits.ts";
import { readSettings } from "#worker/settings.ts";
import { Client, contentPath, monthOf, putOnPlan, sendFile, signUp } from "../support/worker.ts";

const limited = { ...env, RATE_LIMITS: "on" };
const services = servicesFor(limited);
const api = createApp();

/** A caller nobody has been. */
function caller(address = `2001:db8:${crypto.randomUUID().slice(0, 4)}:${crypto.randomUUID().slice(0, 4)}::1`) {
  return { address, account: `${crypto.randomUUID()}@example.com` };
}

beforeEach(() => {
  vi.useRealTimers();
});

describe.each(Object.keys(CALL_LIMITS) as RateLimitedCall[])("%s", (call) => {
  const rules: readonly RateLimitRule[] = CALL_LIMITS[call];

  it.each(rules)("takes $most in $windowMs ms by $by, then refuses", async (rule) => {
    const one = caller();
    // The other subject changes with each call, so that only this rule can refuse.
    const next = () => ({ ...caller(), [rule.by]: one[rule.by] });
    for (let count = 0; count < rule.maxCalls; count += 1) await enforceRateLimit(services, call, next());
    await expect(enforceRateLimit(services, call, next())).rejects.toMatchObject({ code: "RATE_LIMITED" });
    await enforceRateLimit(services, call, caller());
  });
});

describe("a limit", () => {
  it("counts an IPv6 network of 64 bits as one caller", async () => {
    const { most } = CALL_LIMITS.register[0];
    for (let host = 1; host <= most; host += 1)
      await enforceRateLimit(services, "register", caller(`2001:db8:7:7::${host}`));
    const neighbour = enforceRateLimit(services, "register", caller("2001:db8:7:7:ffff::9"));
    await expect(neighbour).rejects.toMatchObject({ code: "RATE_LIMITED" });
    await enforceRateLimit(services, "register", caller("2001:db8:7:8::1"));
  });

  it("believes CF-Connecting-IP alone, and answers 429 with Retry-After", async () => {
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
    const { most } = CALL_LIMITS.login[0];
    for (let count = 0; count < most; count += 1) expect((await attempt(count)).status).toBe(401);
    const refused = await attempt(most);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({
      code: "RATE_LIMITED",
      message: expect.stringContaining("wait") as string,
    });
  });

  it("leaves nothing behind once nothing counts any more", async () => {
    const one = caller();
    await enforceRateLimit(services, "register", one);
    const stub = env.LIMITERS.get(env.LIMITERS.idFromName(`register:address:${callerNetwork(one.address)}`));
    expect(await runDurableObjectAlarm(stub)).toBe(true);
    for (let count = 0; count < CALL_LIMITS.register[0].maxCalls; count += 1)
      await enforceRateLimit(services, "register", one);
  });

  it("is lifted by RATE_LIMITS = off, which production refuses", async () => {
    const one = caller();
    const lifted = servicesFor({ ...env, RATE_LIMITS: "off" });
    for (let count = 0; count < 50; count += 1) await enforceRateLimit(lifted, "register", one);
    expect(() => readSettings({ ...env, RATE_LIMITS: "off", APP_ENV: "production" })).toThrow(/RATE_LIMITS/);
    expect(
      readSettings({ ...env, RATE_LIMITS: "on", MAIL_TRANSPORT: "cloudflare", APP_ENV: "production" }).rateLimits,
    ).toBe("on");
  });
});

/** Decisions, Limits on calls. The whole Worker answers, pages and all. */
describe("looking up a link", () => {
  /** Somebody at an address nobody has called from. */
  function somebody(): (path: string) => Promise<Response> {
    const { address } = caller();
    return async (path) => {
      const headers = { "cf-connecting-ip": address };
      return worker.fetch(new Request(new URL(path, env.APP_ORIGIN), { headers }), limited, createExecutionContext());
    };
  }

  async function statusesOf(ask: (path: string) => Promise<Response>, paths: string[]): Promise<number[]> {
    const statuses: number[] = [];
    for (const path of paths) {
      const answer = await ask(path);
      await answer.arrayBuffer();
      statuses.push(answer.status);
    }
    return statuses;
  }

  const unknownId = () => crypto.randomUUID().replaceAll("-", "").slice(0, 22);

  it("is limited to 60 a minute for an address, page and API together; bytes are not counted", async () => {
    const { downloadId } = await sendFile(await signUp(), "abc");
    const [info, page] = [`/api/files/download/${downloadId}`, `/download/${downloadId}`];
    const ask = somebody();
    const { most } = CALL_LIMITS.downloadInfo[0];
    const paths = Array.from({ length: most }, (_, index) => (index % 20 === 0 ? page : info));
    expect(new Set(await statusesOf(ask, paths))).toEqual(new Set([200]));
    const [refusedInfo, refusedPage] = [await ask(info), await ask(page)];
    expect(refusedInfo.status).toBe(429);
    expect(await refusedInfo.json()).toMatchObject({ code: "RATE_LIMITED" });
    expect(refusedPage.status).toBe(429);
    const wait = Number(refusedPage.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    const html = await refusedPage.text();
    expect(html).toMatch(/Please wait \d+ seconds/);
    expect(html).not.toContain("a file.txt");
    expect(await statusesOf(ask, [contentPath(downloadId), `${info}/preview`])).toEqual([200, 200]);
    expect(await statusesOf(somebody(), [info])).toEqual([200]);
  });

  it("is limited to 20 unknown links a minute for an address, at all of their addresses together", async () => {
    const { downloadId } = await sendFile(await signUp(), "abc");
    const ask = somebody();
    const { most } = CALL_LIMITS.unknownDownload[0];
    const anyAddress = (index: number) => {
      const info = `/api/files/download/${unknownId()}`;
      return [info, `${info}/content`, `${info}/preview`, `/download/${unknownId()}`][index % 4] ?? info;
    };
    const paths = Array.from({ length: most + 4 }, (_, index) => anyAddress(index));
    const statuses = await statusesOf(ask, paths);
    expect(statuses).toEqual([...Array<number>(most).fill(404), 429, 429, 429, 429]);
    expect(await statusesOf(ask, [`/api/files/download/${downloadId}`, contentPath(downloadId)])).toEqual([200, 200]);
  });
});

describe("unfinished uploads at once", () => {
  /** The same person, whose calls are limited. */
  const limitedTo = (person: Client) => new Client(person.cookie, (request) => api.fetch(request, limited));

  it.each(PLAN_IDS)(
    "are as many as the %s plan takes, also when all start together; one that ends makes room",
    async (plan) => {
      const person = await signUp();
      await putOnPlan(person.email, plan);
      const most = maxUnfinishedUploads(plan);
      const free = Array.from({ length: most - 2 }, (_, index) => person.startUpload(index + 1));
      const started = await Promise.all(free);
      const body = { filename: "a.txt", fileType: "text/plain", fileSize: 5, expiration: "1d" };
      const start = () => limitedTo(person).post("/api/direct-upload/presigned-url", body);
      const statuses = (await Promise.all([start(), start(), start(), start()])).map(({ status }) => status);
      expect(statuses.sort()).toEqual([200, 200, 429, 429]);
      const before = await monthOf(person.email);
      const refused = await start();
      expect([refused.status, await refused.json()]).toMatchObject([
        429,
        { code: "RATE_LIMITED", message: expect.stringContaining(`${most} at once`) as string },
      ]);
      expect(refused.headers.get("retry-after")).toBe("60");
      expect(await monthOf(person.email)).toEqual(before);
      await person.post("/api/direct-upload/cancel", { downloadId: started[0]?.downloadId });
      expect((await start()).status).toBe(200);
    },
  );

  it("are not counted where limits on calls are off", async () => {
    const person = await signUp();
    const most = maxUnfinishedUploads("free");
    for (let size = 1; size <= most + 1; size += 1) await person.startUpload(size);
  });
});
