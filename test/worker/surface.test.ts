import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { CALL_LIMITS, type RateLimitedCall } from "#domain/rate-limits.ts";
import { MAX_CHUNK_BYTES, MAX_REQUEST_BYTES } from "#domain/parts.ts";
import { KIB, MIB } from "#domain/units.ts";
import type { Health } from "#domain/wire.ts";
import { JSON_BODY_MAX_BYTES } from "#worker/api/input.ts";
import { countedBody, countingBucket } from "../support/bodies.ts";
import { createOwned, type Owned } from "../support/owned.ts";
import { requestFor, ROUTES } from "../support/routes.ts";
import { between } from "../support/between.ts";
import { bound, callingFrom, serving } from "../support/serving.ts";
import { stripeEnv } from "../support/stripe.ts";
import { Client, contentPath, logInAdmin, patterned, putOnPlan, signUp } from "../support/worker.ts";

let owned: Owned;
let root: Client;

beforeAll(async () => {
  [owned, root] = [await createOwned(), await logInAdmin()];
});

afterEach(() => {
  vi.restoreAllMocks();
});

function whoMayCall(key: string): Client {
  const who = ROUTES[key]?.who;
  return who === "administrator" ? root : who === "anybody" ? new Client() : owned.owner;
}

describe("every answer", () => {
  const secure = { ...env, APP_ORIGIN: "https://files.example.com", S3_ENDPOINT: "https://store.example.com" };

  it.each([
    "/",
    "/dashboard",
    "/nothing-here",
    "/robots.txt",
    "/about.data",
    "/api/health",
    "/api/auth/me",
    "/api/files",
    "/api/nothing",
    "/ws",
    "/download/AAAAAAAAAAAAAAAAAAAAAA",
  ])("is guarded: %s", async (path) => {
    for (const settings of [env, secure]) {
      const request = new Request(new URL(path, settings.APP_ORIGIN), { redirect: "manual" });
      const { headers, body } = await serving(settings)(request);
      await body?.cancel();
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("referrer-policy")).toMatch(/^(no-referrer|strict-origin-when-cross-origin)$/);
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
      expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers.get("content-security-policy")).toMatch(/frame-ancestors 'none'/);
      expect(headers.get("cache-control")).toMatch(/no-store|public, max-age/);
      expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });

  it("asks browsers to come back by HTTPS alone, where it is served that way", async () => {
    const ask = async (settings: Env) =>
      (await serving(settings)(new Request(settings.APP_ORIGIN))).headers.get("strict-transport-security");
    expect(await ask(secure)).toBe("max-age=63072000");
    expect(await ask(env)).toBeNull();
  });

  it("lets a document load what was built and what carries its nonce, and reach the store", async () => {
    const response = await serving(secure)(new Request("https://files.example.com/"));
    const policy = response.headers.get("content-security-policy") ?? "";
    const directives = new Map(policy.split("; ").map((text) => [text.split(" ")[0], text.split(" ").slice(1)]));
    const [, nonce = ""] = /'nonce-([^']+)'/.exec(policy) ?? [];
    expect(atob(nonce)).toHaveLength(16);
    expect(directives.get("default-src")).toEqual(["'none'"]);
    expect(directives.get("script-src")).toEqual(["https://files.example.com/assets/", `'nonce-${nonce}'`]);
    expect(directives.get("connect-src")).toEqual([
      "'self'",
      "wss://files.example.com",
      "https://store.example.com/mayfly/",
    ]);
    for (const name of ["object-src", "base-uri", "frame-ancestors"]) expect(directives.get(name)).toEqual(["'none'"]);
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|\*/);
    const html = await response.text();
    const scripts = [...html.matchAll(/<script(?![^>]*ld\+json)([^>]*)>/g)].map(([, attributes]) => attributes);
    expect(scripts.length).toBeGreaterThan(2);
    for (const attributes of scripts) expect(attributes).toContain(`nonce="${nonce}"`);
    expect(response.headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(response.headers.get("permissions-policy")).toContain("camera=()");
  });

  it("shows what was uploaded as a download or in a sandbox, whatever it says it is", async () => {
    for (const type of ["text/html", "image/svg+xml", "text/javascript", "application/xhtml+xml"]) {
      const { downloadId } = await owned.owner.startUpload(5, { filename: "a.html", fileType: type });
      await env.BUCKET.put(`incoming/${(await idOf(downloadId)).id}`, "<a/>.");
      expect((await owned.owner.complete(downloadId)).status).toBe(200);
      for (const path of [contentPath(downloadId), contentPath(downloadId).replace("content", "preview")]) {
        const { headers, status, body } = await new Client().fetch(path);
        await body?.cancel();
        if (status === 415) continue;
        expect(headers.get("content-disposition")).toMatch(/^attachment/);
        expect(headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
        expect(headers.get("x-content-type-options")).toBe("nosniff");
        expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
      }
    }
  });
});

function idOf(downloadId: string): Promise<{ id: string }> {
  return env.DB.prepare("select id from files where download_id = ?")
    .bind(downloadId)
    .first<{ id: string }>()
    .then((row) => row ?? expect.unreachable());
}

describe("a body", () => {
  const withJson = Object.entries(ROUTES).filter(([, { schema }]) => schema !== undefined);
  // Pages' texts are longer than any other input.
  const longer = new Set(["POST /api/content", "POST /api/content/preview", "PUT /api/content/:id"]);

  it.each(withJson.map(([key]) => key))("that is too large is 413 in plain words: %s", async (key) => {
    const { path, init } = requestFor(key, owned);
    const most = longer.has(key) ? 320 * KIB : JSON_BODY_MAX_BYTES;
    const send = (body: BodyInit, headers: Record<string, string> = {}) =>
      whoMayCall(key).fetch(path, { ...init, body, headers: { "content-type": "application/json", ...headers } });
    const padded = `{"padding":"${"x".repeat(most)}"}`;
    const announced = countedBody(new TextEncoder().encode(padded));
    const refusals = [
      await send(padded),
      await send(new Blob([padded]).stream()),
      await send(announced.stream, { "content-length": String(padded.length) }),
    ];
    for (const response of refusals) {
      expect(response.status).toBe(413);
      expect(await response.json()).toMatchObject({
        code: "BODY_TOO_LARGE",
        message: `This request may hold at most ${most / KIB} KB.`,
      });
    }
    expect(announced.readBytes()).toBeLessThanOrEqual(64 * KIB);
  });

  it("of an event from Stripe holds a megabyte at most", async () => {
    const stripe = new Client("", serving(stripeEnv));
    const body = "x".repeat(MIB + 1);
    const response = await stripe.fetch("/api/stripe/webhook", {
      method: "POST",
      body,
      headers: { "stripe-signature": "t=1,v1=00" },
    });
    expect(response.status).toBe(413);
  });

  /** Every road on which a file comes through the Worker, and the most that one request may bring (platform: 100 MB). */
  const ROADS = [
    { transport: "a part", most: 8 * MIB, path: (id: string) => `/api/direct-upload/parts/${id}/1`, method: "PUT" },
    { transport: "a form", most: MAX_REQUEST_BYTES, path: () => "/api/direct-upload/proxy-upload", method: "POST" },
    { transport: "a chunk", most: MAX_CHUNK_BYTES, path: () => "/api/chunked-upload/chunk", method: "POST" },
  ];

  it.each(ROADS)("announced as more than $road may be is 413, before it is read", async ({ most, path, method }) => {
    const person = await signUp();
    await putOnPlan(person.email, "ultimate");
    const { downloadId } = await person.startUpload(40 * MIB);
    expect(most).toBeLessThanOrEqual(100_000_000);
    const { stream, readBytes } = countedBody(new Uint8Array(MIB));
    const headers = {
      "content-type": "multipart/form-data; boundary=x",
      "content-length": String(most + 64 * KIB),
    };
    const response = await person.fetch(path(downloadId), { method, body: stream, headers });
    expect([response.status, await response.json()]).toMatchObject([413, { message: expect.any(String) as string }]);
    expect(readBytes()).toBeLessThanOrEqual(64 * KIB);
  });

  it("of a form is held one part at a time, however long it goes on: nothing is asked for that has no room", async () => {
    const held = { most: 0, sent: 0, stored: 0 };
    const bucket = countingBucket((bytes) => {
      held.stored += bytes;
    });
    const person = await signUp();
    const sender = new Client(person.cookie, serving({ ...env, BUCKET: bucket }));
    const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n';
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (held.sent === 0) controller.enqueue(new TextEncoder().encode(head));
        if (held.sent >= 40 * MIB) {
          controller.enqueue(new TextEncoder().encode("\r\n--x--\r\n"));
          controller.close();
          return;
        }
        controller.enqueue(patterned(MIB));
        held.sent += MIB;
        held.most = Math.max(held.most, held.sent - held.stored);
      },
    });
    const response = await sender.fetch("/api/direct-upload/proxy-upload", {
      method: "POST",
      body,
      headers: { "content-type": "multipart/form-data; boundary=x" },
    });
    expect(response.status).toBe(200);
    // One part, and what the streams between hold: far from the 128 MB that a Worker has.
    expect(held.most).toBeLessThanOrEqual(12 * MIB);
  });
});

describe("a call that changes something", () => {
  const limited = { ...env, RATE_LIMITS: "on", ANONYMOUS_UPLOADS: "off" };
  const entries = Object.entries(ROUTES).filter(([, { limit }]) => limit in CALL_LIMITS);

  it("is limited, or says why it needs no limit of its own, and that is so", async () => {
    const own = new Set(["POST /api/auth/logout", "POST /api/admin/logout"]);
    for (const [key, { who, limit }] of Object.entries(ROUTES)) {
      if (limit in CALL_LIMITS) continue;
      if (limit === "needs a session") expect(who, key).not.toBe("anybody");
      else if (limit === "reads what is public") expect(key).toMatch(/^GET /);
      else if (limit === "ends its own session") expect(own).toContain(key);
      else expect(key).toBe("POST /api/stripe/webhook");
    }
    const { status } = await new Client("", serving(stripeEnv)).fetch("/api/stripe/webhook", { method: "POST" });
    expect(status).toBe(400);
  });

  it.each(entries)("is refused when it comes too often: %s", async (key, route) => {
    const most = Math.max(...CALL_LIMITS[route.limit as RateLimitedCall].map((rule) => rule.maxCalls));
    const person = route.who === "member" || route.who === "sender" ? await signUp() : null;
    const cookie = person?.cookie ?? whoMayCall(key).cookie;
    const caller = callingFrom(`2001:db8:${crypto.randomUUID().slice(0, 4)}::1`, limited, cookie);
    const statuses: number[] = [];
    while (statuses.length <= most && statuses.at(-1) !== 429) {
      const { path, init } = requestFor(key, owned);
      // Of a link's addresses, those that lead nowhere are what is counted.
      const asked = route.limit === "unknownDownload" ? path.replace(owned.downloadId, "A".repeat(22)) : path;
      const upgrade = key === "GET /ws" ? { headers: { upgrade: "websocket" } } : {};
      const response = await caller.fetch(asked, { ...init, ...upgrade });
      await response.body?.cancel();
      statuses.push(response.status);
    }
    expect(statuses.length).toBeGreaterThan(1);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe("what made a fault once", () => {
  const ORIGINS = ["null", "never", "https://evil.example", "http://[::1", "Thu, 01 Jan 1970 00:00:00 GMT"];

  it("is a page that is sent to from nowhere, or from another site: 403, at its loader's address too", async () => {
    for (const origin of ORIGINS) {
      for (const method of ["POST", "DELETE", "PROPFIND", "OPTIONS", "HEAD"]) {
        for (const path of ["/", "/dashboard", "/share", "/about.data", "/nothing-here"]) {
          const { status } = await new Client().fetch(path, { method, headers: { origin } });
          expect([method, path, origin, status]).toEqual([method, path, origin, 403]);
        }
      }
    }
    const own = { origin: env.APP_ORIGIN, "x-forwarded-host": "evil.example" };
    expect((await new Client().fetch("/share", { method: "POST", headers: own })).status).toBe(200);
    expect((await new Client().fetch("/about.data", { method: "POST", headers: own })).status).toBe(405);
  });

  it("is an event of Stripe's that is not text: 400", async () => {
    const response = await new Client("", serving(stripeEnv)).fetch("/api/stripe/webhook", {
      method: "POST",
      body: new Uint8Array([0x9f]),
      headers: { "stripe-signature": "t=1,v1=00" },
    });
    expect(response.status).toBe(400);
  });
});

describe("/api/health", () => {
  const failing = (): never => {
    throw new Error("it is down");
  };
  const read = async (settings: Env): Promise<[number, Health]> => {
    const response = await serving(settings)(new Request(new URL("/api/health", env.APP_ORIGIN)));
    expect(response.headers.get("cache-control")).toBe("no-store");
    return [response.status, await response.json()];
  };

  it("asks the database, the store and a Durable Object, and says how long each took", async () => {
    const check = { ok: true, ms: expect.any(Number) as number };
    const checks = { database: check, storage: check, durableObjects: check };
    expect(await read(env)).toEqual([200, { ok: true, checks }]);
  });

  it.each([
    ["database", { DB: between(env.DB, failing) }],
    ["storage", { BUCKET: bound(env.BUCKET, "head", failing) }],
    ["durableObjects", { LIMITERS: bound(env.LIMITERS, "get", failing) }],
  ])("is 503 when the %s does not answer, and names it", async (name, broken) => {
    for (const RATE_LIMITS of ["on", "off"]) {
      const [status, { ok, checks }] = await read({ ...env, ...broken, RATE_LIMITS });
      expect([status, ok]).toEqual([503, false]);
      expect(Object.entries(checks).filter(([, check]) => !check.ok)).toEqual([[name, expect.anything()]]);
    }
  });
});
