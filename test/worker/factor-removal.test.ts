import { beforeAll, describe, expect, it } from "vitest";
import { auditEntriesFor } from "../support/admin.ts";
import { Browser, mailsTo, signUpInBrowser, tokenIn } from "../support/browser.ts";
import { setUpFactor } from "../support/second-factor.ts";
import { answerOf, logInAdmin, rowOf, runSql, type Client } from "../support/worker.ts";

const DAY = 86_400_000;
let admin: Client;

beforeAll(async () => {
  admin = await logInAdmin();
});

async function personWithFactor() {
  const person = await signUpInBrowser();
  await setUpFactor(person.browser);
  return person;
}

const ask = (id: string) => answerOf(admin.post(`/api/admin/users/${id}/second-factor/removal`, {}));
const remove = (id: string) => answerOf(admin.fetch(`/api/admin/users/${id}/second-factor`, { method: "DELETE" }));
/** Lets time pass for what was asked. */
const age = (id: string, ms: number) =>
  runSql("update steps set expires_at = expires_at - ? where user_id = ? and kind = 'factor-removal'", ms, id);
/** The token of the link that signs in; "" before its mail is there. */
async function linkIn(email: string): Promise<string> {
  const texts = (await mailsTo(email)).map(({ text }) => /sign-in-link#(\S+)/.exec(text)?.[1] ?? "");
  return texts.find((token) => token !== "") ?? "";
}
const isAsked = async (email: string) => (await answerOf(new Browser().logIn(email)))[1].user === null;

describe("the removal of a second factor by an administrator", () => {
  it("is possible three days after the mail, and for seven days [AUTH-38]", async () => {
    const { id, email } = await personWithFactor();
    expect(await remove(id)).toMatchObject([409, { code: "REMOVAL_WAITS" }]);
    const begin = Date.now();
    const [status, { from, until }] = await ask(id);
    expect(status).toBe(202);
    expect(Date.parse(String(from)) - begin).toBeGreaterThanOrEqual(3 * DAY);
    expect(Date.parse(String(until)) - Date.parse(String(from))).toBe(7 * DAY);
    await age(id, 3 * DAY - 60_000);
    expect(await remove(id)).toMatchObject([409, { code: "REMOVAL_WAITS" }]);
    expect(await isAsked(email)).toBe(true);
    await age(id, 60_000);
    expect((await remove(id))[0]).toBe(200);
    expect(await isAsked(email)).toBe(false);
    expect((await mailsTo(email)).some(({ subject }) => subject.includes("was removed"))).toBe(true);
    expect(await auditEntriesFor(admin, id)).toEqual([
      ["user.second-factor", "admin", `${email}: asked`],
      ["user.second-factor", "admin", `${email}: removed`],
    ]);
    expect(await rowOf("select count(*) as n from recovery_codes where user_id = ?", id)).toEqual({ n: 0 });
  });

  it("has to be asked for again after ten days", async () => {
    const { id, email } = await personWithFactor();
    await ask(id);
    await age(id, 10 * DAY);
    expect(await remove(id)).toMatchObject([409, { code: "REMOVAL_WAITS" }]);
    expect(await isAsked(email)).toBe(true);
  });

  it("is mailed once, however often it is asked for", async () => {
    const { id, email } = await personWithFactor();
    const [first, second] = [await ask(id), await ask(id)];
    expect(second).toEqual(first);
    const mails = (await mailsTo(email)).filter(({ subject }) => subject.includes("Shall we remove"));
    expect(mails).toHaveLength(1);
  });

  it("is refused by the button of the mail [AUTH-38]", async () => {
    const { id, email } = await personWithFactor();
    await ask(id);
    const token = await tokenIn(email, "Shall we remove");
    const press = () => answerOf(new Browser().post("/api/auth/keep-factor", { token }));
    expect((await press())[0]).toBe(200);
    expect(await press()).toMatchObject([400, { code: "TOKEN_INVALID" }]);
    expect(await remove(id)).toMatchObject([409, { code: "REMOVAL_WAITS" }]);
    expect(await isAsked(email)).toBe(true);
  });

  it("ends with a new address that an administrator sets: the mail went to the former one [AUTH-38]", async () => {
    const { id } = await personWithFactor();
    await ask(id);
    await age(id, 3 * DAY);
    const email = `given-${crypto.randomUUID()}@example.com`;
    expect((await admin.put(`/api/admin/user/email/${id}`, { email })).status).toBe(200);
    expect(await remove(id)).toMatchObject([409, { code: "REMOVAL_WAITS" }]);
    expect(await isAsked(email)).toBe(true);
  });

  it.each([0, 1])(
    "cannot be got round by a new address whose mailbox the administrator reads (verified before: %i) [AUTH-38]",
    async (isVerified) => {
      const { id, browser } = await personWithFactor();
      await runSql("update users set is_verified = ? where id = ?", isVerified, id);
      const [, { key }] = await answerOf(browser.post("/api/keys", { name: "A program", scopes: ["upload"] }));
      const email = `given-${crypto.randomUUID()}@example.com`;
      expect((await admin.put(`/api/admin/user/email/${id}`, { email })).status).toBe(200);
      const reader = new Browser();
      await reader.post("/api/auth/mail-link", { email });
      await expect.poll(() => linkIn(email)).not.toBe("");
      const used = reader.post("/api/auth/mail-link/use", { token: await linkIn(email) });
      expect(await answerOf(used)).toMatchObject([
        200,
        { user: null, secondFactor: { methods: ["code", "recoveryCode"] } },
      ]);
      expect(await rowOf("select is_verified from users where id = ?", id)).toEqual({ is_verified: 1 });
      expect(await browser.isSignedIn()).toBe(true);
      const me = await new Browser().fetch("/api/v1/me", { headers: { authorization: `Bearer ${String(key)}` } });
      expect(me.status).toBe(200);
    },
  );

  it("needs a factor", async () => {
    const { id } = await signUpInBrowser();
    expect((await ask(id))[0]).toBe(404);
  });
});
