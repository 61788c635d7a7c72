import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { createAccountFixture, type AccountFixture } from "../support/account-fixture.ts";
import { PAGES, requestFor, ROUTES } from "../support/routes.ts";
import { Client } from "../support/worker.ts";

let fixture: AccountFixture;

beforeAll(async () => {
  fixture = await createAccountFixture();
});

/** Headers in which browsers name a request's source (W3C Fetch Metadata Request Headers, section 2.4). */
const FOREIGN_HEADERS: Record<string, string>[] = [
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
  { "sec-fetch-site": "cross-site", origin: "null" },
  { "sec-fetch-site": "cross-site", origin: env.APP_ORIGIN },
  { "sec-fetch-site": "same-site" },
  { "sec-fetch-site": "same-site", origin: "http://other.localhost:8787" },
  { "sec-fetch-site": "same-origin", origin: "https://evil.example" },
  { "sec-fetch-site": "none", origin: "https://evil.example" },
  { "sec-fetch-site": "something-new" },
  { "sec-fetch-site": "" },
  { origin: "https://evil.example" },
  { origin: "null" },
];
const OWN_HEADERS: Record<string, string>[] = [
  {},
  { origin: env.APP_ORIGIN },
  { "sec-fetch-site": "same-origin" },
  { "sec-fetch-site": "same-origin", origin: env.APP_ORIGIN },
  { "sec-fetch-site": "same-site", origin: env.APP_ORIGIN },
  { "sec-fetch-site": "none" },
];

/** Stripe authenticates with a signature instead, programs with a key, mail programs with an unsubscribe link. Pages may not make the calls of curl at all. */
const changes = Object.keys(ROUTES).filter(
  (key) => !/^GET |^POST \/api\/stripe\/webhook$|^POST \/unsubscribe\/| \/api\/v1\/|^(PUT|POST) \/(:name)?$/.test(key),
);

describe("a request that changes something", () => {
  it("covers every call except reads", () => {
    expect(changes.length).toBeGreaterThan(40);
  });

  it.each(changes)("is rejected from another site: %s", async (key) => {
    const { path, init } = requestFor(key, fixture);
    for (const headers of FOREIGN_HEADERS) {
      const sent = { ...init, headers: { ...(init.headers as Record<string, string> | undefined), ...headers } };
      const response = await fixture.owner.fetch(path, sent);
      const message = "This request came from another site and was rejected.";
      const answer: unknown = path.startsWith("/api/") ? await response.json() : await response.text();
      const expected = path.startsWith("/api/") ? { code: "CROSS_SITE", message } : message;
      expect([headers, response.status, answer]).toEqual([headers, 403, expected]);
    }
    expect(await (await fixture.owner.fetch("/api/auth/me")).json()).not.toBeNull();
  });

  it.each(changes)(
    "is accepted from our own pages and from clients that are not browsers: %s",
    { tags: "long" },
    async (key) => {
      const { path, init } = requestFor(key, fixture);
      for (const headers of OWN_HEADERS) {
        const sent = { ...init, headers: { ...(init.headers as Record<string, string> | undefined), ...headers } };
        const response = await new Client().fetch(path, sent);
        expect([headers, await response.text()]).toEqual([headers, expect.not.stringContaining("CROSS_SITE")]);
      }
    },
  );

  it("is rejected for every page", { tags: "long" }, async () => {
    for (const page of Object.keys(PAGES)) {
      // Mail programs post to the unsubscribe page (RFC 8058): the next test.
      for (const method of page === "/unsubscribe/:token" ? ["PUT", "DELETE"] : ["POST", "PUT", "DELETE"]) {
        for (const headers of FOREIGN_HEADERS) {
          const { status } = await fixture.owner.fetch(page, { method, headers });
          expect([page, method, headers, status]).toEqual([page, method, headers, 403]);
        }
      }
    }
  });

  it("reaches the unsubscribe page, which takes only the form of mail programs", async () => {
    for (const headers of FOREIGN_HEADERS) {
      const { status } = await fixture.owner.fetch("/unsubscribe/:token", { method: "POST", headers });
      expect([headers, status]).toEqual([headers, 415]);
    }
  });
});

describe("a request that only reads", () => {
  it("is answered from any site", async () => {
    const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
    for (const path of ["/", "/pricing", `/download/${fixture.downloadId}`, "/api/auth/me", "/api/health"]) {
      for (const method of ["GET", "HEAD"]) {
        expect([path, (await fixture.owner.fetch(path, { method, headers })).status]).toEqual([path, 200]);
      }
    }
  });
});

it("POST /share is accepted without an origin or from our own", async () => {
  for (const headers of OWN_HEADERS) {
    const body = new FormData();
    body.set("file", new File(["words"], "a.txt"));
    expect((await new Client().fetch("/share", { method: "POST", body, headers })).status).toBe(200);
  }
});
