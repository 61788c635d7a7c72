import { describe, expect, inject, it } from "vitest";
import { Browser, letConfirmationRunOut, mailsTo } from "../support/browser.ts";
import {
  claimsOf,
  comeBack,
  confirmedPerson,
  countOf,
  newPerson,
  signInAt,
  withProviders,
} from "../support/provider-sign-in.ts";
import { answerOf, runSql } from "../support/worker.ts";

const PROVIDERS = withProviders();

describe("connecting a provider", () => {
  /** @returns where the person ends up */
  async function connect(browser: Browser, person: { sub: string; email: string }): Promise<string> {
    const [status, { url }] = await answerOf(browser.post("/api/auth/providers/club/link", {}));
    expect(status).toBe(200);
    const asked = new URL(String(url)).searchParams;
    const claims = claimsOf(person.sub, person.email, asked.get("nonce") ?? "");
    const iss = `${inject("providersOrigin")}/openid`;
    return comeBack(browser, "club", claims, { state: asked.get("state") ?? "", iss });
  }

  const disconnect = (browser: Browser) => answerOf(browser.fetch("/api/auth/providers/club", { method: "DELETE" }));

  it("takes a confirmed session, and then signs in by another address too [AUTH-45]", async () => {
    const { browser, id } = await confirmedPerson();
    await letConfirmationRunOut(id);
    expect((await browser.post("/api/auth/providers/club/link", {})).status).toBe(403);
    expect((await disconnect(browser))[0]).toBe(403);
    await runSql("update sessions set confirmed_at = ? where user_id = ?", Date.now(), id);
    const person = newPerson();
    expect(await connect(browser, person)).toBe("/account/security");
    const [, ways] = await answerOf(browser.fetch("/api/auth/providers"));
    expect(ways).toEqual({
      providers: [
        { name: "work", label: "Work", isConnected: false },
        { name: "club", label: "The club", isConnected: true },
        { name: "github", label: "GitHub", isConnected: false },
      ],
      mailLinks: true,
      hasPassword: true,
    });
    const other = new Browser(PROVIDERS);
    expect(await signInAt(other, "club", person)).toBe("/dashboard");
    expect((await answerOf(other.fetch("/api/auth/me")))[1]).toMatchObject({ id });
  });

  it("refuses a person who is connected to another account", async () => {
    const person = newPerson();
    await signInAt(new Browser(PROVIDERS), "club", person);
    const { browser } = await confirmedPerson();
    expect(await connect(browser, person)).toBe("/account/security?error=PROVIDER_TAKEN");
  });

  it("refuses when somebody else has signed in in this browser meanwhile", async () => {
    const { browser } = await confirmedPerson();
    const [, { url }] = await answerOf(browser.post("/api/auth/providers/club/link", {}));
    const asked = new URL(String(url)).searchParams;
    const other = await confirmedPerson();
    await browser.logIn(other.email);
    const claims = claimsOf(newPerson().sub, other.email, asked.get("nonce") ?? "");
    const iss = `${inject("providersOrigin")}/openid`;
    expect(await comeBack(browser, "club", claims, { state: asked.get("state") ?? "", iss })).toBe(
      "/account/security?error=PROVIDER_REFUSED",
    );
    expect(await countOf("accounts", other.id)).toEqual({ n: 1 });
  });

  it("ends, unless it is the last way in [AUTH-45]", async () => {
    const noMails = withProviders({ MAIL_LINKS: "off" });
    const browser = new Browser(noMails);
    const person = newPerson();
    expect(await signInAt(browser, "club", person)).toBe("/dashboard");
    expect(await disconnect(browser)).toMatchObject([409, { code: "LAST_WAY_IN" }]);
    const withPassword = await confirmedPerson(noMails);
    expect(await disconnect(withPassword.browser)).toMatchObject([404, { code: "NOT_FOUND" }]);
    await connect(withPassword.browser, newPerson());
    expect((await disconnect(withPassword.browser))[0]).toBe(200);
    expect(await countOf("accounts", withPassword.id)).toEqual({ n: 1 });
    const mails = (await mailsTo(withPassword.email)).filter(({ subject }) => subject.includes("was removed"));
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain("You can no longer sign in to your Mayfly account with The club.");
  });

  it("never takes a password away", async () => {
    const { browser, email } = await confirmedPerson();
    const remove = browser.fetch("/api/auth/providers/credential", { method: "DELETE" });
    expect((await remove).status).toBe(404);
    expect((await new Browser().logIn(email)).status).toBe(200);
  });
});
