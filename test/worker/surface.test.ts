import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { CALL_LIMITS, type RateLimitedCall } from "#domain/rate-limits.ts";
import { createAccountFixture, type AccountFixture } from "../support/account-fixture.ts";
import { limitedEnv } from "../support/limited-env.ts";
import type { Route } from "../support/route.ts";
import { isSocket, requestFor, ROUTES } from "../support/routes.ts";
import { clientFrom, workerWith } from "../support/worker-with-env.ts";
import { stripeEnv } from "../support/stripe.ts";
import { withProviders } from "../support/provider-sign-in.ts";
import { Client, contentPath, logInAdmin, runSql, signUp } from "../support/worker.ts";

let fixture: AccountFixture;
let root: Client;

beforeAll(async () => {
  [fixture, root] = [await createAccountFixture(), await logInAdmin()];
});

afterEach(() => {
  vi.restoreAllMocks();
});

function whoMayCall(key: string): Client {
  const who = ROUTES[key]?.who;
  return who === "administrator" ? root : who === "anybody" ? new Client() : fixture.owner;
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
  ])("has security headers: %s", async (path) => {
    for (const settings of [env, secure]) {
      const request = new Request(new URL(path, settings.APP_ORIGIN), { redirect: "manual" });
      const { headers, body } = await workerWith(settings)(request);
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

  it("HTTPS answers have Strict-Transport-Security", async () => {
    const ask = async (settings: Env) =>
      (await workerWith(settings)(new Request(settings.APP_ORIGIN))).headers.get("strict-transport-security");
    expect(await ask(secure)).toBe("max-age=63072000");
    expect(await ask(env)).toBeNull();
  });

  it("a page's policy allows built assets, scripts with its nonce and the store", async () => {
    const response = await workerWith(secure)(new Request("https://files.example.com/"));
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
      "https://mayfly.store.example.com/",
    ]);
    for (const name of ["object-src", "base-uri", "frame-ancestors"]) expect(directives.get(name)).toEqual(["'none'"]);
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|\*/);
    const html = await response.text();
    const scripts = [...html.matchAll(/<script(?![^>]*ld\+json)([^>]*)>/g)].map(([, attributes]) => attributes);
    expect(scripts.length).toBeGreaterThan(2);
    for (const attributes of scripts) expect(attributes).toContain(`nonce="${nonce}"`);
    expect(directives.get("img-src")).toEqual(["'self'", "data:", "blob:", "https:"]);
    expect(response.headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(response.headers.get("permissions-policy")).toContain("camera=()");
    expect(response.headers.get("permissions-policy")).toContain(
      "publickey-credentials-get=(self), publickey-credentials-create=(self)",
    );
  });

  it("a link's page, whether it exists or not, may send no request to storage or to another site [SEAL-17]", async () => {
    for (const end of ["A".repeat(22), "nothing", `${"A".repeat(22)}%231${"B".repeat(43)}`]) {
      const address = `https://files.example.com/download/${end}`;
      const { headers } = await workerWith(secure)(new Request(address, { headers: { "sec-fetch-site": "none" } }));
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toContain("connect-src 'self' wss://files.example.com;");
      expect(policy).toContain("img-src 'self' data: blob:;");
      expect(policy).toContain("default-src 'none'; script-src https://files.example.com/assets/ 'nonce-");
      expect(policy).not.toContain("https:;");
      expect(policy.split("https://files.example.com/assets/")).toHaveLength(4);
      expect(policy).not.toContain("store.example.com");
    }
  });

  it("uploads are served as attachments in a sandbox, for any type", async () => {
    for (const type of ["text/html", "image/svg+xml", "text/javascript", "application/xhtml+xml"]) {
      const { downloadId } = await fixture.owner.startUpload(5, { filename: "a.html", fileType: type });
      await env.BUCKET.put(`incoming/${(await idOf(downloadId)).id}`, "<a/>.");
      expect((await fixture.owner.complete(downloadId)).status).toBe(200);
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

describe("a rate limit", () => {
  const limited = limitedEnv(withProviders({ ANONYMOUS_UPLOADS: "off" }));
  const entries = Object.entries(ROUTES).filter(([, { limit }]) => limit in CALL_LIMITS);

  it("every call has a rate limit or a reason for having none [TRF-11]", async () => {
    const own = new Set(["POST /api/auth/logout", "POST /api/admin/logout"]);
    for (const [key, { who, limit }] of Object.entries(ROUTES)) {
      if (limit in CALL_LIMITS) continue;
      if (limit === "needs a session") expect(who, key).not.toBe("anybody");
      else if (limit === "reads what is public") expect(key).toMatch(/^(GET|OPTIONS) /);
      else if (limit === "ends its own session") expect(own).toContain(key);
      else if (limit === "needs a key") expect(key).toMatch(/ \/api\/v1\/|^PUT \/$|^PUT \/:name$|^POST \/$/);
      else expect(key).toMatch(/^POST \/api\/stripe\/webhook$| \/delete\/:id\/:token$| \/unsubscribe\/:token$/);
    }
    const { status } = await new Client("", workerWith(stripeEnv)).fetch("/api/stripe/webhook", { method: "POST" });
    expect(status).toBe(400);
  });

  /** An account that no other test has made calls with. */
  async function newCaller(key: string, { who }: Route): Promise<Client> {
    if (who === "anybody") return whoMayCall(key);
    const person = await signUp();
    if (who !== "administrator") return person;
    await runSql("update users set is_admin = 1 where id = ?", person.id);
    return logInAdmin(person.email, "a good password");
  }

  it.each(entries)("rejects too many calls: %s", { tags: "long" }, async (key, route) => {
    const maxCalls = Math.max(...CALL_LIMITS[route.limit as RateLimitedCall].map((rule) => rule.maxCalls));
    const { cookie } = await newCaller(key, route);
    const caller = clientFrom(`2001:db8:${crypto.randomUUID().slice(0, 4)}::1`, limited, cookie);
    const statuses: number[] = [];
    while (statuses.length <= maxCalls && statuses.at(-1) !== 429) {
      const { path, init } = requestFor(key, fixture);
      // Only calls with an unknown link count for this limit.
      const unknown = path.replace(/(?<=\/download\/)[^/]+/, "A".repeat(22));
      const url = route.limit === "unknownDownload" ? unknown : path;
      const upgrade = isSocket(key) ? { headers: { upgrade: "websocket" } } : {};
      const response = await caller.fetch(url, { ...init, ...upgrade });
      await response.body?.cancel();
      // People come to some calls by navigation, and a redirect tells them.
      const isRefused = response.headers.get("location")?.includes("error=RATE_LIMITED") === true;
      statuses.push(isRefused ? 429 : response.status);
    }
    expect(statuses.length).toBeGreaterThan(1);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe("former server errors", () => {
  const ORIGINS = ["null", "never", "https://evil.example", "http://[::1", "Thu, 01 Jan 1970 00:00:00 GMT"];

  it("a page or loader request with a foreign or invalid origin is 403", async () => {
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

  it("a Stripe event that is not UTF-8 is 400", async () => {
    const response = await new Client("", workerWith(stripeEnv)).fetch("/api/stripe/webhook", {
      method: "POST",
      body: new Uint8Array([0x9f]),
      headers: { "stripe-signature": "t=1,v1=00" },
    });
    expect(response.status).toBe(400);
  });
});
