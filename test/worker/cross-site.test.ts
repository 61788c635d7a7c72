import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { createOwned, type Owned } from "../support/owned.ts";
import { PAGES, requestFor, ROUTES } from "../support/routes.ts";
import { Client } from "../support/worker.ts";

let owned: Owned;

beforeAll(async () => {
  owned = await createOwned();
});

/** What browsers say of where a request comes from (Fetch Metadata Request Headers, section 2.4; Fetch, Origin). */
const REFUSED: Record<string, string>[] = [
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
const TAKEN: Record<string, string>[] = [
  {},
  { origin: env.APP_ORIGIN },
  { "sec-fetch-site": "same-origin" },
  { "sec-fetch-site": "same-origin", origin: env.APP_ORIGIN },
  { "sec-fetch-site": "same-site", origin: env.APP_ORIGIN },
  { "sec-fetch-site": "none" },
];

/** Stripe proves who it is by its signature, from wherever it calls. */
const changes = Object.keys(ROUTES).filter((key) => !/^GET |^POST \/api\/stripe\/webhook$/.test(key));

describe("a request that changes something", () => {
  it("is every call but those that read", () => {
    expect(changes.length).toBeGreaterThan(40);
  });

  it.each(changes)("is refused when another site's page has sent it: %s", async (key) => {
    const { path, init } = requestFor(key, owned);
    for (const headers of REFUSED) {
      const sent = { ...init, headers: { ...(init.headers as Record<string, string> | undefined), ...headers } };
      const response = await owned.owner.fetch(path, sent);
      expect([headers, response.status, await response.json()]).toEqual([
        headers,
        403,
        { code: "CROSS_SITE", message: "This request came from another site and was refused." },
      ]);
    }
    expect(await (await owned.owner.fetch("/api/auth/me")).json()).not.toBeNull();
  });

  it.each(changes)("is listened to from our own page, and from what is no browser: %s", async (key) => {
    const { path, init } = requestFor(key, owned);
    for (const headers of TAKEN) {
      const sent = { ...init, headers: { ...(init.headers as Record<string, string> | undefined), ...headers } };
      const response = await new Client().fetch(path, sent);
      expect([headers, await response.text()]).toEqual([headers, expect.not.stringContaining("CROSS_SITE")]);
    }
  });

  it("is refused at every page, too", async () => {
    for (const page of Object.keys(PAGES)) {
      for (const method of ["POST", "PUT", "DELETE"]) {
        for (const headers of REFUSED) {
          const { status } = await owned.owner.fetch(page, { method, headers });
          expect([page, method, headers, status]).toEqual([page, method, headers, 403]);
        }
      }
    }
  });
});

describe("what only reads", () => {
  it("is answered wherever the link to it stands", async () => {
    const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
    for (const path of ["/", "/pricing", `/download/${owned.downloadId}`, "/api/auth/me", "/api/health"]) {
      for (const method of ["GET", "HEAD"]) {
        expect([path, (await owned.owner.fetch(path, { method, headers })).status]).toEqual([path, 200]);
      }
    }
  });
});

it("a file that another app shares is taken with no word of where it comes from, or our own", async () => {
  for (const headers of TAKEN) {
    const body = new FormData();
    body.set("file", new File(["words"], "a.txt"));
    expect((await new Client().fetch("/share", { method: "POST", body, headers })).status).toBe(200);
  }
});
