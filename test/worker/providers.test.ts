import { env } from "cloudflare:workers";
import { afterEach, describe, expect, inject, it, vi } from "vitest";
import { enterByProvider } from "#worker/accounts/providers/enter.ts";
import { toIdentity } from "#worker/accounts/providers/oauth.ts";
import { readVisit } from "#worker/accounts/visit.ts";
import { servicesFor } from "#worker/services.ts";
import { Browser, signUpInBrowser } from "../support/browser.ts";
import { TEST_CLIENT } from "../support/login-providers/provided.ts";
import {
  beginAt,
  claimsOf,
  comeBack,
  confirmedPerson,
  countOf,
  newPerson,
  signInAt,
  withProviders,
} from "../support/provider-sign-in.ts";
import { answerOf, logInAdmin, rowOf, runSql } from "../support/worker.ts";

const PROVIDERS = withProviders();
const REFUSED = "/login?error=PROVIDER_REFUSED";

afterEach(() => {
  vi.restoreAllMocks();
});

describe("an OpenID provider", () => {
  it("is asked with PKCE, state and nonce", async () => {
    const asked = await beginAt(new Browser(PROVIDERS), "work");
    expect(Object.fromEntries(asked)).toEqual({
      client_id: "mayfly",
      response_type: "code",
      scope: "openid email",
      redirect_uri: "http://localhost:8787/api/auth/provider/work/callback",
      state: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      nonce: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge_method: "S256",
    });
  });

  it.each([
    ["work", true],
    ["club", false],
  ] as const)(
    "%s makes an account without a password (confirmed: %s), and knows the person later by another address [AUTH-49]",
    async (name, isVerified) => {
      const person = newPerson();
      const browser = new Browser(PROVIDERS);
      expect(await signInAt(browser, name, person)).toBe("/dashboard");
      const [, user] = await answerOf(browser.fetch("/api/auth/me"));
      expect(user).toMatchObject({ email: person.email, isVerified });
      const again = new Browser(PROVIDERS);
      expect(await signInAt(again, name, { sub: person.sub, email: newPerson().email })).toBe("/dashboard");
      expect((await answerOf(again.fetch("/api/auth/me")))[1]).toEqual(user);
      const kept = await rowOf(
        "select access_token, refresh_token, id_token, password from accounts where account_id = ?",
        person.sub,
      );
      expect(kept).toEqual({ access_token: null, refresh_token: null, id_token: null, password: null });
    },
  );

  it.each([
    ["another nonce", { nonce: "another" }],
    ["another audience", { aud: "another" }],
    ["another issuer", { iss: "https://evil.example" }],
    ["an ID token that has run out", { exp: 1 }],
    ["an ID token that another key has signed", { forged: true }],
    ["no subject", { sub: undefined }],
    ["a subject of 256 characters", { sub: "x".repeat(256) }],
    ["an address that is not verified", { email_verified: false }],
    ["an address that says it is verified in words", { email_verified: "true" }],
    ["no address", { email: undefined }],
  ])("lets nobody in with %s [AUTH-43]", async (_what, changes) => {
    const browser = new Browser(PROVIDERS);
    expect(await signInAt(browser, "work", newPerson(), changes)).toBe(REFUSED);
    expect(await browser.isSignedIn()).toBe(false);
  });

  it("lets nobody in with a wrong state, in another browser, or twice [AUTH-43]", async () => {
    const browser = new Browser(PROVIDERS);
    const { sub, email } = newPerson();
    const asked = await beginAt(browser, "work");
    const state = asked.get("state") ?? "";
    const claims = claimsOf(sub, email, asked.get("nonce") ?? "");
    const iss = `${inject("providersOrigin")}/openid`;
    const other = new Browser(PROVIDERS);
    await beginAt(other, "work");
    expect(await comeBack(browser, "work", claims, { state: "0".repeat(64), iss })).toBe(REFUSED);
    expect(await comeBack(other, "work", claims, { state, iss })).toBe(REFUSED);
    expect(await comeBack(browser, "club", claims, { state, iss })).toBe(REFUSED);
    expect(await comeBack(browser, "work", claims, { state, iss })).toBe("/dashboard");
    expect(await comeBack(browser, "work", claims, { state, iss })).toBe(REFUSED);
  });

  it.each([
    ["no iss", {}],
    ["another iss", { iss: "https://evil.example" }],
  ])("lets nobody in with %s in the address", async (_what, more) => {
    const browser = new Browser(PROVIDERS);
    const { sub, email } = newPerson();
    const asked = await beginAt(browser, "work");
    const claims = claimsOf(sub, email, asked.get("nonce") ?? "");
    const state = asked.get("state") ?? "";
    expect(await comeBack(browser, "work", claims, { state, ...more })).toBe(REFUSED);
  });

  it.each([
    ["/account?a=1", "/account?a=1"],
    ["https://evil.example/", "/dashboard"],
    ["//evil.example/", "/dashboard"],
    ["/\\evil.example", "/dashboard"],
  ])("with returnTo %s ends at %s", async (returnTo, end) => {
    const browser = new Browser(PROVIDERS);
    const { sub, email } = newPerson();
    const asked = await beginAt(browser, "work", `?${new URLSearchParams({ returnTo }).toString()}`);
    const iss = `${inject("providersOrigin")}/openid`;
    const claims = claimsOf(sub, email, asked.get("nonce") ?? "");
    expect(await comeBack(browser, "work", claims, { state: asked.get("state") ?? "", iss })).toBe(end);
  });
});

describe("somebody who cancels at the provider", () => {
  /** @returns where the person ends up, and again with the same address */
  async function cancel(browser: Browser, asked: URLSearchParams): Promise<string[]> {
    const answer = { error: "access_denied", state: asked.get("state") ?? "" };
    return [await comeBack(browser, "work", "", answer), await comeBack(browser, "work", "", answer)];
  }

  it.each([
    ["?returnTo=/download/abc", "/download/abc"],
    ["", "/login"],
  ])("is back where the sign-in with %o began, without a message", async (search, page) => {
    const logged = vi.spyOn(console, "error").mockReturnValue();
    const browser = new Browser(PROVIDERS);
    expect(await cancel(browser, await beginAt(browser, "work", search))).toEqual([page, REFUSED]);
    expect(await browser.isSignedIn()).toBe(false);
    expect(logged).not.toHaveBeenCalled();
  });

  it("is back on the Security tab, not connected", async () => {
    const { browser, id } = await confirmedPerson();
    const [, { url }] = await answerOf(browser.post("/api/auth/providers/work/link", {}));
    expect(await cancel(browser, new URL(String(url)).searchParams)).toEqual(["/account/security", REFUSED]);
    expect(await countOf("accounts", id)).toEqual({ n: 1 });
  });

  it("goes nowhere in a browser that did not begin", async () => {
    const asked = await beginAt(new Browser(PROVIDERS), "work", "?returnTo=/download/abc");
    expect(await cancel(new Browser(PROVIDERS), asked)).toEqual([REFUSED, REFUSED]);
  });
});

describe("an address that has an account", () => {
  it("is connected at once only by a provider that is trusted with addresses [AUTH-44]", async () => {
    const { id, email } = await confirmedPerson();
    const { sub } = newPerson();
    expect(await signInAt(new Browser(PROVIDERS), "club", { sub, email })).toBe("/login?error=LINK_FIRST");
    expect(await countOf("accounts", id)).toEqual({ n: 1 });
    expect(await signInAt(new Browser(PROVIDERS), "work", { sub, email })).toBe("/dashboard");
    expect(await countOf("accounts", id)).toEqual({ n: 2 });
    expect((await new Browser().logIn(email)).status).toBe(200);
  });

  it("loses its other ways in first when nobody had proved it, to a provider that is trusted with addresses alone [AUTH-42]", async () => {
    const waiting = await signUpInBrowser(PROVIDERS);
    expect((await waiting.browser.post("/api/keys", { name: "A program", scopes: ["upload"] })).status).toBe(201);
    const owner = new Browser(PROVIDERS);
    expect(await signInAt(owner, "club", { sub: newPerson().sub, email: waiting.email })).toBe(
      "/login?error=LINK_FIRST",
    );
    expect(await waiting.browser.isSignedIn()).toBe(true);
    expect(await countOf("accounts", waiting.id)).toEqual({ n: 1 });
    expect(await signInAt(owner, "work", { sub: newPerson().sub, email: waiting.email })).toBe("/dashboard");
    expect((await answerOf(owner.fetch("/api/auth/me")))[1]).toMatchObject({ id: waiting.id, isVerified: true });
    expect(await waiting.browser.isSignedIn()).toBe(false);
    expect((await new Browser().logIn(waiting.email)).status).toBe(401);
    expect(
      await rowOf("select count(*) as n from api_keys where user_id = ? and revoked_at is null", waiting.id),
    ).toEqual({ n: 0 });
  });

  it("keeps everything when an administrator gave it, and is connected only by a trusted provider [AUTH-42]", async () => {
    const { id, browser } = await confirmedPerson();
    const email = `given-${crypto.randomUUID()}@example.com`;
    const admin = await logInAdmin();
    expect((await admin.put(`/api/admin/user/email/${id}`, { email })).status).toBe(200);
    const { sub } = newPerson();
    expect(await signInAt(new Browser(PROVIDERS), "club", { sub, email })).toBe("/login?error=LINK_FIRST");
    expect(await signInAt(new Browser(PROVIDERS), "work", { sub, email })).toBe("/dashboard");
    expect(await browser.isSignedIn()).toBe(true);
    expect((await new Browser().logIn(email)).status).toBe(200);
    expect(await rowOf("select is_verified from users where id = ?", id)).toEqual({ is_verified: 1 });
  });

  it("asks for its second factor after the provider", async () => {
    const { id, email } = await confirmedPerson();
    await runSql("insert into second_factors (user_id, secret, confirmed_at) values (?, 'sealed', 1)", id);
    const browser = new Browser(PROVIDERS);
    expect(await signInAt(browser, "work", { sub: newPerson().sub, email })).toBe("/login?secondFactor=code");
    expect(await browser.isSignedIn()).toBe(false);
  });

  it("has one account after two callbacks at once", async () => {
    const person = newPerson();
    const ends = await Promise.all([1, 2].map(() => signInAt(new Browser(PROVIDERS), "club", person)));
    expect(ends).toEqual(["/dashboard", "/dashboard"]);
    expect(await rowOf("select count(*) as n from users where email = ?", person.email)).toEqual({ n: 1 });
  });
});

describe("Google", () => {
  const GOOGLE = {
    name: "google",
    label: "Google",
    kind: "openid",
    issuer: "https://accounts.google.com",
    trustsEmail: true,
    ...TEST_CLIENT,
  } as const;

  /** Enters as somebody whom Google has named. */
  function enter(claims: { email: string; isVerified: boolean; hd?: string }) {
    const identity = toIdentity(GOOGLE, newPerson().sub, { hd: undefined, ...claims });
    const visit = readVisit(new Request(env.APP_ORIGIN));
    return enterByProvider(servicesFor(PROVIDERS), GOOGLE, identity, visit, () => Promise.resolve(), Date.now());
  }

  /** A confirmed account at a domain. */
  async function accountAt(domain: string) {
    const { id } = await confirmedPerson();
    const email = `${id}@${domain}`;
    await runSql("update users set email = ? where id = ?", email, id);
    return { id, email };
  }

  it.each([
    ["gmail.com", {}],
    ["example.com", { hd: "example.com" }],
  ])("connects an address at %s that Google runs at once", async (domain, hd) => {
    const { id, email } = await accountAt(domain);
    expect(await enter({ email, isVerified: true, ...hd })).toMatchObject({ kind: "session", user: { id } });
  });

  it.each([
    ["example.com", {}],
    ["example.com", { hd: "" }],
    ["gmail.com.example.com", {}],
    ["notgmail.com", {}],
  ])("does not connect an address at %s that it has only verified once, with the claims %o", async (domain, hd) => {
    const { id, email } = await accountAt(domain);
    await expect(enter({ email, isVerified: true, ...hd })).rejects.toMatchObject({ code: "LINK_FIRST" });
    expect(await countOf("accounts", id)).toEqual({ n: 1 });
  });

  it("lets nobody in with an address of its own that is not verified", async () => {
    const { email } = await accountAt("gmail.com");
    await expect(enter({ email, isVerified: false })).rejects.toMatchObject({ code: "PROVIDER_REFUSED" });
  });
});

describe("GitHub", () => {
  const emails = (email: string, verified = true) => [
    { email: `other-${email}`, primary: false, verified: true },
    { email, primary: true, verified },
  ];

  async function signIn(says: unknown): Promise<[string, Browser]> {
    const browser = new Browser(PROVIDERS);
    const asked = await beginAt(browser, "github");
    expect(asked.get("scope")).toBe("user:email");
    return [await comeBack(browser, "github", says, { state: asked.get("state") ?? "" }), browser];
  }

  it("signs in by its number and its verified primary address", async () => {
    const { email } = newPerson();
    const id = Math.floor(Math.random() * 1e9);
    const [end, browser] = await signIn({ id, emails: emails(email) });
    expect(end).toBe("/dashboard");
    expect((await answerOf(browser.fetch("/api/auth/me")))[1]).toMatchObject({ email });
    expect(
      await rowOf("select account_id from accounts where provider_id = 'github' and account_id = ?", String(id)),
    ).toEqual({
      account_id: String(id),
    });
  });

  it("lets nobody in without a verified primary address, or with a code that it does not know", async () => {
    expect((await signIn({ id: 5, emails: emails(newPerson().email, false) }))[0]).toBe(REFUSED);
    expect((await signIn({ id: 6, emails: [] }))[0]).toBe(REFUSED);
    expect((await signIn("wrong"))[0]).toBe(REFUSED);
  });
});

describe("oidc-provider", () => {
  const CERTIFIED = {
    ...env,
    LOGIN_PROVIDERS: JSON.stringify([
      {
        name: "work",
        label: "Work",
        issuer: inject("oidcIssuer"),
        ...TEST_CLIENT,
      },
    ]),
  };

  /** Follows the provider's pages with a browser of its own. @returns where our address redirects at the end */
  async function visit(browser: Browser, hint: string): Promise<string> {
    const begin = await browser.fetch("/api/auth/provider/work", { redirect: "manual" });
    const cookies = new Map<string, string>();
    let address = new URL(`${begin.headers.get("location") ?? ""}&login_hint=${hint}`);
    while (address.origin !== env.APP_ORIGIN) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const response = await fetch(address, { redirect: "manual", headers: { cookie } });
      for (const line of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      const next = response.headers.get("location");
      if (next === null) return `${address.pathname} answered ${response.status}`;
      address = new URL(next, address);
    }
    const end = await browser.fetch(address.pathname + address.search, { redirect: "manual" });
    return end.headers.get("location") ?? `status ${end.status}`;
  }

  it("signs a person in, and takes the address from its userinfo", async () => {
    const browser = new Browser(CERTIFIED);
    const hint = `oidc-${crypto.randomUUID()}`;
    expect(await visit(browser, hint)).toBe("/dashboard");
    expect((await answerOf(browser.fetch("/api/auth/me")))[1]).toMatchObject({ email: `${hint}@example.com` });
  });

  it("lets nobody in whose address it has not verified", async () => {
    expect(await visit(new Browser(CERTIFIED), `unverified-${crypto.randomUUID()}`)).toBe(REFUSED);
  });
});
