// @module-tag long
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { createAccountFixture, type AccountFixture } from "../support/account-fixture.ts";
import { FOREIGN_ADDRESSES, OWN_PATHS } from "../support/return-addresses.ts";
import { PAGES } from "../support/routes.ts";
import { answerOf, Client, logInAdmin, signUp } from "../support/worker.ts";

let fixture: AccountFixture;
let person: Client;
let admin: Client;

beforeAll(async () => {
  [fixture, person, admin] = [await createAccountFixture(), await signUp(), await logInAdmin()];
});

/** The URL that a page redirects to, or null. */
async function redirectOf(client: Client, path: string): Promise<string | null> {
  const response = await client.fetch(path, { redirect: "manual" });
  await response.body?.cancel();
  expect([path, response.status]).toEqual([path, expect.toSatisfy((status: number) => status < 500)]);
  const location = response.headers.get("location");
  return location === null ? null : new URL(location, new URL(path, env.APP_ORIGIN)).href;
}

describe("a return address", () => {
  it.each(["/login", "/register"])("%s ignores a foreign return address", async (page) => {
    const tab = page.slice(1);
    for (const address of FOREIGN_ADDRESSES) {
      const path = `${page}?${new URLSearchParams({ returnTo: address }).toString()}`;
      expect([address, await redirectOf(person, path)]).toEqual([address, `${env.APP_ORIGIN}/dashboard`]);
      expect([address, await redirectOf(new Client(), path)]).toEqual([address, `${env.APP_ORIGIN}/?auth=${tab}`]);
    }
  });

  it.each(["/login", "/register"])("%s redirects to our own return address", async (page) => {
    for (const [address, own] of OWN_PATHS) {
      const path = `${page}?${new URLSearchParams({ returnTo: address }).toString()}`;
      expect(await redirectOf(person, path)).toBe(env.APP_ORIGIN + own);
      const search = new URLSearchParams({ auth: page.slice(1), returnTo: own });
      expect(await redirectOf(new Client(), path)).toBe(`${env.APP_ORIGIN}/?${search.toString()}`);
    }
  });

  it("no page redirects to another site, for any parameter name", async () => {
    const names = [
      "returnTo",
      "return",
      "next",
      "redirect",
      "url",
      "to",
      "successUrl",
      "cancelUrl",
      "returnUrl",
      "lang",
    ];
    const pages = Object.keys(PAGES).map((page) => page.replace(":downloadId", fixture.downloadId));
    for (const page of pages) {
      for (const address of ["//evil.example", "/.//evil.example", "//["]) {
        const path = `${page}?${new URLSearchParams(names.map((name) => [name, address])).toString()}`;
        for (const client of [new Client(), person, admin]) {
          const target = await redirectOf(client, path);
          if (target !== null) expect([path, new URL(target).origin]).toEqual([path, env.APP_ORIGIN]);
        }
      }
    }
  });

  const BILLING = [
    ["/api/subscription/checkout", "successUrl", { planType: "professional" }],
    ["/api/subscription/checkout", "cancelUrl", { planType: "professional" }],
    ["/api/subscription/portal", "returnUrl", {}],
  ] as const;

  it.each(BILLING)("POST %s rejects a foreign address as %s", async (path, field, more) => {
    for (const address of FOREIGN_ADDRESSES) {
      const [status, { code }] = await answerOf(person.post(path, { ...more, [field]: address }));
      expect([address, status, code]).toEqual([address, 400, "REDIRECT_REFUSED"]);
    }
  });

  it.each(BILLING)("POST %s accepts our own address as %s", async (path, field, more) => {
    for (const [address] of [...OWN_PATHS, [`${env.APP_ORIGIN}/dashboard?from=here`]]) {
      const [status] = await answerOf(person.post(path, { ...more, [field]: address }));
      expect([address, status]).toEqual([address, 200]);
    }
  });
});
