import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import type { SignInMethod } from "#domain/sign-in.ts";
import { Authenticator } from "./authenticator.ts";
import { mailsTo, signUpInBrowser, type Browser } from "./browser.ts";
import { signInAt, withProviders } from "./provider-sign-in.ts";
import { answerOf, runSql } from "./worker.ts";

/** An environment in which providers sign in too. */
export const PROVIDERS = withProviders();

export interface Person {
  browser: Browser;
  id: string;
  email: string;
  /** Of the authenticator app; none without one. */
  recoveryCodes: string[];
}

/** Somebody with a password who has proved their address: until then, whoever proves it takes the account over. */
export async function newPerson(): Promise<Person> {
  const person = await signUpInBrowser(PROVIDERS);
  await runSql("update users set is_verified = 1 where id = ?", person.id);
  return { ...person, recoveryCodes: [] };
}

export interface WayIn {
  way: string;
  /** How many factors it shows by itself. */
  factors: 1 | 2;
  /**
   * Signs a person in from a browser, which may have cookies of theirs.
   * @returns what the second factor can be; null where none was asked for
   */
  enter(person: Person, browser: Browser): Promise<string[] | null>;
}

/** @returns as `enter` does */
export async function methodsIn(response: Promise<Response>): Promise<string[] | null> {
  const [, body] = await answerOf(response);
  const secondFactor = body.secondFactor as { methods: string[] } | undefined;
  return secondFactor?.methods ?? null;
}

/** Every way into an account. A new one gets a row here, or this does not compile, and meets every state and race of the tests. */
const ROWS: Record<SignInMethod, WayIn> = {
  password: {
    way: "a password",
    factors: 1,
    enter: ({ email }, browser) => methodsIn(browser.logIn(email)),
  },
  mail: {
    way: "a link by mail",
    factors: 1,
    async enter({ email }, browser) {
      await browser.post("/api/auth/mail-link", { email });
      const token = await vi.waitFor(async () => {
        const text = (await mailsTo(email)).map((mail) => mail.text).join();
        expect(text).toMatch(/sign-in-link#/);
        return /sign-in-link#([0-9a-f]+)/.exec(text)?.[1] ?? "";
      });
      return methodsIn(browser.post("/api/auth/mail-link/use", { token, rememberMe: true }));
    },
  },
  provider: {
    way: "a provider",
    factors: 1,
    async enter({ id, email }, browser) {
      const end = new URL(await signInAt(browser, "work", { sub: `sub-${id}`, email }), env.APP_ORIGIN);
      return end.searchParams.get("secondFactor")?.split(",") ?? null;
    },
  },
  passkey: {
    way: "a passkey",
    factors: 2,
    async enter({ id }, browser) {
      const authenticator = await Authenticator.create();
      await authenticator.saveFor(id);
      const options = await browser.post("/api/auth/passkey/options", { purpose: "login" });
      const credential = await authenticator.assert(await options.json());
      return methodsIn(browser.post("/api/auth/passkey/login", { credential }));
    },
  },
  recovery: {
    way: "a recovery code after a password",
    factors: 2,
    async enter({ email, recoveryCodes: [recoveryCode] }, browser) {
      const methods = await methodsIn(browser.logIn(email));
      // Without an app nobody has such a code, and the call refuses any.
      const answer = { recoveryCode: recoveryCode ?? "00000-00000" };
      const next = await methodsIn(browser.post("/api/auth/second-factor", answer));
      return recoveryCode === undefined ? methods : next;
    },
  },
};
export const WAYS_IN = Object.entries(ROWS).map(([method, row]) => ({ method, ...row }));
