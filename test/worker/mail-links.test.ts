import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { Browser, letConfirmationRunOut, mailsTo, signUpInBrowser } from "../support/browser.ts";
import { queuedMailsSent } from "../support/mails.ts";
import { interceptQueries } from "../support/query-interceptor.ts";
import { answerOf, rowOf, runSql } from "../support/worker.ts";

interface Mailed {
  token: string;
  code: string;
}

/** Asks for a link, and reads the mail. @param count of mails that the address has then */
async function mailLink(browser: Browser, email: string, count = 1): Promise<Mailed> {
  // Mails that are delivered together have no order.
  await queuedMailsSent();
  expect((await browser.post("/api/auth/mail-link", { email })).status).toBe(200);
  const text = await vi.waitFor(async () => {
    const mails = (await mailsTo(email)).filter((mail) => /sign-in-link#/.test(mail.text));
    expect(mails).toHaveLength(count);
    return mails[0]?.text ?? "";
  });
  return { token: /sign-in-link#(\S+)/.exec(text)?.[1] ?? "", code: /(\d{4} \d{4})/.exec(text)?.[1] ?? "" };
}

const use = (browser: Browser, body: unknown) => answerOf(browser.post("/api/auth/mail-link/use", body));
/** Another code of eight digits. */
const notThe = (code: string) => (code === "0000 0000" ? "00000001" : "00000000");
const newAddress = () => `link-${crypto.randomUUID()}@example.com`;
const verify = (id: string) => runSql("update users set is_verified = 1 where id = ?", id);

describe("a link by mail", () => {
  it("signs in anywhere, once [AUTH-39]", async () => {
    const { id, email, browser } = await signUpInBrowser();
    await verify(id);
    const { token } = await mailLink(browser, email);
    const phone = new Browser();
    expect(await use(phone, { token })).toMatchObject([200, { user: { id, email } }]);
    expect(await phone.isSignedIn()).toBe(true);
    expect(await use(new Browser(), { token })).toMatchObject([400, { code: "TOKEN_INVALID" }]);
    expect(await rowOf("select method from sessions where user_id = ? order by created_at desc", id)).toEqual({
      method: "mail",
    });
  });

  it("makes a confirmed account where there is none [AUTH-41]", async () => {
    const email = newAddress();
    const browser = new Browser();
    const { token } = await mailLink(browser, email);
    expect(await rowOf("select count(*) as n from users where email = ?", email)).toEqual({ n: 0 });
    expect(await use(browser, { token })).toMatchObject([200, { user: { email, isVerified: true } }]);
  });

  it("no longer works after a newer one, and neither does its code [AUTH-39]", async () => {
    const email = newAddress();
    const browser = new Browser();
    const old = await mailLink(browser, email);
    const recent = await mailLink(browser, email, 2);
    expect(await use(browser, { token: old.token })).toMatchObject([400, { code: "TOKEN_INVALID" }]);
    expect(await use(browser, { email, code: old.code })).toMatchObject([403, { code: "MAIL_CODE_WRONG" }]);
    expect((await use(browser, { token: recent.token }))[0]).toBe(200);
  });

  it("no longer works when the newer one is asked for while it is being used", async () => {
    const email = newAddress();
    const old = await mailLink(new Browser(), email);
    let recent: Promise<Mailed> | undefined;
    const DB = interceptQueries(env.DB, async (queries, go) => {
      const isSpending = queries.some(({ text }) => text.startsWith('delete from "steps"'));
      if (isSpending) await (recent ??= mailLink(new Browser(), email, 2));
      return go();
    });
    expect(await use(new Browser({ ...env, DB }), { token: old.token })).toMatchObject([
      400,
      { code: "TOKEN_INVALID" },
    ]);
    expect((await use(new Browser(), { token: (await recent)?.token }))[0]).toBe(200);
  });

  it("runs out after 15 minutes [AUTH-39]", async () => {
    const email = newAddress();
    const { token } = await mailLink(new Browser(), email);
    const step = await rowOf<{ expires_at: number }>(
      "select expires_at from steps where json_extract(data, '$.email') = ?",
      email,
    );
    expect(step.expires_at).toBeGreaterThan(Date.now() + 890_000);
    expect(step.expires_at).toBeLessThanOrEqual(Date.now() + 900_000);
    await runSql("update steps set expires_at = ? where json_extract(data, '$.email') = ?", Date.now() - 1, email);
    expect(await use(new Browser(), { token })).toMatchObject([400, { code: "TOKEN_INVALID" }]);
  });

  it("is not used up by a program that opens its page", async () => {
    const email = newAddress();
    const { token } = await mailLink(new Browser(), email);
    for (const method of ["GET", "HEAD"]) await new Browser().fetch("/sign-in-link", { method });
    expect((await use(new Browser(), { token }))[0]).toBe(200);
  });

  it("takes an account that never proved its address from whoever waits in it [AUTH-42]", async () => {
    const waiting = await signUpInBrowser();
    await runSql("insert into second_factors (user_id, secret, confirmed_at) values (?, 'sealed', 1)", waiting.id);
    expect((await waiting.browser.post("/api/keys", { name: "A program", scopes: ["upload"] })).status).toBe(201);
    const owner = new Browser();
    const { token } = await mailLink(owner, waiting.email);
    expect(await use(owner, { token })).toMatchObject([200, { user: { id: waiting.id, isVerified: true } }]);
    expect(await waiting.browser.isSignedIn()).toBe(false);
    expect((await new Browser().logIn(waiting.email)).status).toBe(401);
    expect(
      await rowOf("select count(*) as n from api_keys where user_id = ? and revoked_at is null", waiting.id),
    ).toEqual({ n: 0 });
  });

  it("answers the same for an address with and without an account [AUTH-41]", async () => {
    const { email } = await signUpInBrowser();
    const known = await answerOf(new Browser().post("/api/auth/mail-link", { email }));
    expect(await answerOf(new Browser().post("/api/auth/mail-link", { email: newAddress() }))).toEqual(known);
  });

  it("does not exist where MAIL_LINKS is off", async () => {
    const browser = new Browser({ ...env, MAIL_LINKS: "off" });
    expect((await browser.post("/api/auth/mail-link", { email: newAddress() })).status).toBe(404);
    expect((await use(browser, { token: "x" }))[0]).toBe(404);
  });
});

describe("a code by mail", () => {
  it("signs in the browser that asked, and no other [AUTH-40]", async () => {
    const email = newAddress();
    const browser = new Browser();
    const { code } = await mailLink(browser, email);
    const other = new Browser();
    await mailLink(other, newAddress());
    expect(await use(other, { email, code })).toMatchObject([403, { code: "MAIL_CODE_WRONG" }]);
    expect(await use(browser, { email, code })).toMatchObject([200, { user: { email } }]);
    expect(await use(browser, { email, code })).toMatchObject([403, { code: "MAIL_CODE_WRONG" }]);
  });

  it("has five tries [AUTH-40]", async () => {
    const email = newAddress();
    const browser = new Browser();
    const { code, token } = await mailLink(browser, email);
    for (let count = 1; count <= 5; count += 1) {
      expect((await use(browser, { email, code: notThe(code) }))[0]).toBe(403);
    }
    expect((await use(browser, { email, code }))[0]).toBe(403);
    expect((await use(browser, { token }))[0]).toBe(200);
  });

  it("is not used up by the tries of another browser, which has asked for a code of its own [AUTH-40]", async () => {
    const email = newAddress();
    const browser = new Browser();
    const { code } = await mailLink(browser, email);
    const other = new Browser();
    await mailLink(other, newAddress());
    for (let count = 1; count <= 6; count += 1) {
      expect((await use(other, { email, code: notThe(code) }))[0]).toBe(403);
    }
    expect((await use(other, { email, code }))[0]).toBe(403);
    for (let count = 1; count <= 4; count += 1) {
      expect((await use(browser, { email, code: notThe(code) }))[0]).toBe(403);
    }
    expect((await use(browser, { email, code }))[0]).toBe(200);
  });

  it.each([
    ["seven digits", "1234567"],
    ["letters", "abcdefgh"],
    ["nothing", ""],
  ])("with %s is 400", async (_what, code) => {
    expect((await use(new Browser(), { email: newAddress(), code }))[0]).toBe(400);
  });
});

describe("an account without a password", () => {
  async function signUpByMail() {
    const email = newAddress();
    const browser = new Browser();
    const { token } = await mailLink(browser, email);
    const [, { user }] = await answerOf(browser.post("/api/auth/mail-link/use", { token }));
    return { email, browser, id: (user as { id: string }).id };
  }

  it("gets its first one from a confirmed session, which a mailed code confirms [AUTH-46]", async () => {
    const { email, browser, id } = await signUpByMail();
    await letConfirmationRunOut(id);
    const set = () => answerOf(browser.post("/api/auth/change-password", { newPassword: "a first password" }));
    expect(await set()).toMatchObject([403, { code: "CONFIRM_REQUIRED", methods: ["mailCode"] }]);
    expect((await browser.post("/api/auth/confirm/mail", {})).status).toBe(200);
    const text = await vi.waitFor(async () => {
      const [mail] = await mailsTo(email);
      expect(mail?.subject).toContain("Confirm");
      return mail?.text ?? "";
    });
    const mailCode = /(\d{4} \d{4})/.exec(text)?.[1] ?? "";
    expect((await new Browser().post("/api/auth/confirm", { mailCode })).status).toBe(401);
    expect((await browser.post("/api/auth/confirm", { mailCode })).status).toBe(200);
    expect((await browser.post("/api/auth/confirm", { mailCode })).status).toBe(403);
    expect((await set())[0]).toBe(200);
    expect((await new Browser().logIn(email, "a first password")).status).toBe(200);
  });

  it("is deleted by a confirmed session", async () => {
    const { browser, id } = await signUpByMail();
    const remove = () =>
      browser.fetch("/api/auth/account", {
        method: "DELETE",
        headers: { "content-type": "application/json" },
        body: "{}",
      });
    await letConfirmationRunOut(id);
    expect(await answerOf(remove())).toMatchObject([403, { code: "CONFIRM_REQUIRED" }]);
    await runSql("update sessions set confirmed_at = ? where user_id = ?", Date.now(), id);
    expect((await remove()).status).toBe(202);
  });
});

it("a password that exists has to be shown for a new one", async () => {
  const { browser } = await signUpInBrowser();
  expect(await answerOf(browser.post("/api/auth/change-password", { newPassword: "another one" }))).toMatchObject([
    403,
    { code: "WRONG_PASSWORD" },
  ]);
});
