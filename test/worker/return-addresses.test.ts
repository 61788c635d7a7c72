import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { createOwned, type Owned } from "../support/owned.ts";
import { FOREIGN_ADDRESSES, OWN_PATHS } from "../support/return-addresses.ts";
import { PAGES } from "../support/routes.ts";
import { answerOf, Client, logInAdmin, signUp } from "../support/worker.ts";

let owned: Owned;
let person: Client;
let admin: Client;

beforeAll(async () => {
  [owned, person, admin] = [await createOwned(), await signUp(), await logInAdmin()];
});

/** Where a page sends its reader, as a browser reads it; null where it shows something. */
async function ledTo(client: Client, path: string): Promise<string | null> {
  const response = await client.fetch(path, { redirect: "manual" });
  await response.body?.cancel();
  expect([path, response.status]).toEqual([path, expect.toSatisfy((status: number) => status < 500)]);
  const location = response.headers.get("location");
  return location === null ? null : new URL(location, new URL(path, env.APP_ORIGIN)).href;
}

describe("an address to return to", () => {
  it.each(["/login", "/register"])("that is foreign leads home from %s", async (page) => {
    const tab = page.slice(1);
    for (const address of FOREIGN_ADDRESSES) {
      const path = `${page}?${new URLSearchParams({ returnTo: address }).toString()}`;
      expect([address, await ledTo(person, path)]).toEqual([address, `${env.APP_ORIGIN}/dashboard`]);
      expect([address, await ledTo(new Client(), path)]).toEqual([address, `${env.APP_ORIGIN}/?auth=${tab}`]);
    }
  });

  it.each(["/login", "/register"])("that is ours is where %s leads", async (page) => {
    for (const [address, own] of OWN_PATHS) {
      const path = `${page}?${new URLSearchParams({ returnTo: address }).toString()}`;
      expect(await ledTo(person, path)).toBe(env.APP_ORIGIN + own);
      const search = new URLSearchParams({ auth: page.slice(1), returnTo: own });
      expect(await ledTo(new Client(), path)).toBe(`${env.APP_ORIGIN}/?${search.toString()}`);
    }
  });

  it("is taken by no other page, whatever it is called: nobody is led to another site", async () => {
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
    const pages = Object.keys(PAGES).map((page) => page.replace(":downloadId", owned.downloadId));
    for (const page of pages) {
      for (const address of ["//evil.example", "/.//evil.example", "//["]) {
        const path = `${page}?${new URLSearchParams(names.map((name) => [name, address])).toString()}`;
        for (const client of [new Client(), person, admin]) {
          const target = await ledTo(client, path);
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

  it.each(BILLING)("that is foreign is refused by POST %s as %s", async (path, field, more) => {
    for (const address of FOREIGN_ADDRESSES) {
      const [status, { code }] = await answerOf(person.post(path, { ...more, [field]: address }));
      expect([address, status, code]).toEqual([address, 400, "REDIRECT_REFUSED"]);
    }
  });

  it.each(BILLING)("that is ours is taken by POST %s as %s", async (path, field, more) => {
    for (const [address] of [...OWN_PATHS, [`${env.APP_ORIGIN}/dashboard?from=here`]]) {
      const [status] = await answerOf(person.post(path, { ...more, [field]: address }));
      expect([address, status]).toEqual([address, 200]);
    }
  });
});
