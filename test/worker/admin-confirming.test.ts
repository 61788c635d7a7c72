import { describe, expect, it } from "vitest";
import {
  accountAdministrator,
  answerPasskey,
  configuredAdministrator,
  logInWholly,
  type TestAdministrator,
} from "../support/admin-second-factor.ts";
import { auditEntriesFor } from "../support/admin.ts";
import { Browser, tokenIn, signUpInBrowser } from "../support/browser.ts";
import { codeAt, setUpFactor } from "../support/second-factor.ts";
import { answerOf, logInAdmin, runSql, signUp, stopClockAt } from "../support/worker.ts";

const json = { "content-type": "application/json" };
const put = (browser: Browser, path: string, body: unknown) =>
  browser.fetch(path, { method: "PUT", headers: json, body: JSON.stringify(body) });
const remove = (browser: Browser, path: string) => browser.fetch(path, { method: "DELETE" });

/** Every call of the back office that asks for a confirmation, and what it answers a confirmed session. */
const GUARDED: Record<string, { status: number; send(browser: Browser, userId: string): Promise<Response> }> = {
  "promoting a user": {
    status: 200,
    send: (browser, id) => put(browser, `/api/admin/user/admin/${id}`, { isAdmin: true }),
  },
  "changing an address": {
    status: 200,
    send: (browser, id) => put(browser, `/api/admin/user/email/${id}`, { email: `${crypto.randomUUID()}@example.com` }),
  },
  "deleting an account": { status: 202, send: (browser, id) => remove(browser, `/api/admin/users/${id}`) },
  // The user has no second factor.
  "asking to remove a factor": {
    status: 404,
    send: (browser, id) => browser.post(`/api/admin/users/${id}/second-factor/removal`, {}),
  },
  "removing a factor": {
    status: 409,
    send: (browser, id) => remove(browser, `/api/admin/users/${id}/second-factor`),
  },
};
const ROWS = Object.entries(GUARDED);

/** Every admin session showed who it is so long ago. */
const confirmedBefore = (ms: number) => runSql("update admin_sessions set confirmed_at = ?", Date.now() - ms);
const letRunOut = () => confirmedBefore(600_000);

const confirmBy = (browser: Browser, answer: object) => answerOf(browser.post("/api/admin/confirm", answer));
const required = (...methods: string[]) => [
  403,
  { code: "CONFIRM_REQUIRED", message: "Please confirm that it is you.", methods },
];

describe("what is sensitive in the back office", () => {
  it.each(ROWS)("asks ten minutes after the login, not before: %s [ADM-43]", async (_what, row) => {
    const browser = await logInWholly(await configuredAdministrator({ has: [], setting: "off" }));
    const [one, other] = [await signUp(), await signUp()];
    stopClockAt(Date.now());
    await confirmedBefore(599_999);
    expect((await row.send(browser, one.id)).status).toBe(row.status);
    await letRunOut();
    expect(await answerOf(row.send(browser, other.id))).toEqual(required("password"));
    expect(await auditEntriesFor(await logInAdmin(), other.id)).toEqual([]);
  });

  it.each(ROWS)("goes on once it is confirmed: %s [ADM-43]", async (_what, row) => {
    const administrator = await configuredAdministrator({ has: [], setting: "off" });
    const browser = await logInWholly(administrator);
    const { id } = await signUp();
    await letRunOut();
    const begin = Date.now();
    const [status, { confirmedUntil }] = await confirmBy(browser, { password: administrator.password });
    expect(status).toBe(200);
    expect(Date.parse(String(confirmedUntil))).toBeGreaterThanOrEqual(begin + 600_000);
    expect((await row.send(browser, id)).status).toBe(row.status);
  });

  it.each(ROWS)("asks sessions from before confirmations were noted: %s [ADM-43]", async (_what, row) => {
    const browser = await logInWholly(await configuredAdministrator({ has: [], setting: "off" }));
    const { id } = await signUp();
    await runSql("update admin_sessions set confirmed_at = null, method = null");
    expect(await answerOf(row.send(browser, id))).toMatchObject([403, { code: "CONFIRM_REQUIRED" }]);
  });

  it("is not needed for reading, or for changing a plan [ADM-43]", async () => {
    const browser = await logInWholly(await configuredAdministrator({ has: [], setting: "off" }));
    const { id } = await signUp();
    await letRunOut();
    expect((await browser.fetch("/api/admin/users")).status).toBe(200);
    expect((await put(browser, `/api/admin/user/plan/${id}`, { planType: "ultimate" })).status).toBe(200);
  });
});

describe("an administrator confirms", () => {
  const promote = async (browser: Browser) =>
    answerOf(put(browser, `/api/admin/user/admin/${(await signUp()).id}`, { isAdmin: true }));

  it.each([
    ["of the settings", configuredAdministrator],
    ["of an account", accountAdministrator],
  ])("%s by a code where an app is set up, and no longer by the password [ADM-44]", async (_whose, make) => {
    const administrator = await make({ has: ["app"], setting: "off" });
    const browser = await logInWholly(administrator);
    await letRunOut();
    expect(await promote(browser)).toEqual(required("code"));
    expect(await confirmBy(browser, { password: administrator.password })).toEqual(required("code"));
    // The code of the login is used up.
    const used = await confirmBy(browser, { code: codeAt(administrator.secret, 0) });
    expect(used).toMatchObject([401, { code: "SECOND_FACTOR_WRONG" }]);
    expect((await confirmBy(browser, { code: codeAt(administrator.secret, 1) }))[0]).toBe(200);
    expect((await promote(browser))[0]).toBe(200);
  });

  it("of an account by a passkey; a password is enough only where no factor is required [ADM-44]", async () => {
    const optional = await accountAdministrator({ has: ["passkey"], setting: "off" });
    const browser = await logInWholly(optional);
    await letRunOut();
    expect(await promote(browser)).toEqual(required("passkey", "password"));
    const passkey = await answerPasskey(browser, optional, "confirm");
    expect((await confirmBy(browser, { passkey }))[0]).toBe(200);
    expect(await confirmBy(browser, { passkey })).toMatchObject([403, { code: "PASSKEY_REFUSED" }]);

    const strict = await accountAdministrator({ has: ["passkey"], setting: "required" });
    const strictBrowser = await byPasskey(strict);
    await letRunOut();
    expect(await promote(strictBrowser)).toEqual(required("passkey"));
  });

  it("by no wrong answer, and for their own session alone [ADM-44]", async () => {
    const administrator = await accountAdministrator({ has: [], setting: "off" });
    const [browser, other] = [await logInWholly(administrator), await logInWholly(administrator)];
    await letRunOut();
    expect(await confirmBy(browser, { password: "a wrong password" })).toMatchObject([403, { code: "WRONG_PASSWORD" }]);
    expect(await confirmBy(browser, {})).toMatchObject([400, { code: "BAD_REQUEST" }]);
    expect((await confirmBy(other, { password: administrator.password }))[0]).toBe(200);
    expect(await promote(browser)).toEqual(required("password"));
  });

  it("not by the confirmation of their account's session [ADM-44]", async () => {
    const administrator = await accountAdministrator({ has: [], setting: "off" });
    const browser = await logInWholly(administrator);
    for (const [name, value] of administrator.browser.cookies) browser.cookies.set(name, value);
    await letRunOut();
    expect((await answerOf(browser.post("/api/auth/confirm", { password: administrator.password })))[0]).toBe(200);
    expect(await promote(browser)).toEqual(required("password"));
  });
});

async function byPasskey(administrator: TestAdministrator): Promise<Browser> {
  const browser = new Browser(administrator.environment);
  const credential = await answerPasskey(browser, administrator, "login");
  expect((await browser.post("/api/admin/passkey/login", { credential })).status).toBe(200);
  return browser;
}

describe("the second factor of a user, for an administrator", () => {
  const stateOf = async (id: string) => {
    const [, state] = await answerOf((await logInAdmin()).fetch(`/api/admin/users/${id}/second-factor`));
    return state;
  };

  it("shows what they have, and what became of a removal [ADM-45]", async () => {
    const { browser, id, email } = await signUpInBrowser();
    expect(await stateOf(id)).toEqual({ since: null, passkeys: 0, removal: null, keptAt: null });
    await setUpFactor(browser);
    const admin = await logInAdmin();
    const [, asked] = await answerOf(admin.post(`/api/admin/users/${id}/second-factor/removal`, {}));
    expect(asked.isOpen).toBe(false);
    expect(Date.parse(String(asked.from)) - Date.parse(String(asked.askedAt))).toBe(3 * 86_400_000);
    expect(await stateOf(id)).toMatchObject({ since: expect.any(String) as string, removal: asked, keptAt: null });
    await runSql("update steps set expires_at = expires_at - ? where kind = 'factor-removal'", 3 * 86_400_000);
    expect(await stateOf(id)).toMatchObject({ removal: { isOpen: true } });

    const token = await tokenIn(email, "Shall we remove");
    expect((await new Browser().post("/api/auth/keep-factor", { token })).status).toBe(200);
    expect(await stateOf(id)).toMatchObject({ removal: null, keptAt: expect.any(String) as string });
    const events = await (await browser.fetch("/api/auth/events")).json<{ kind: string }[]>();
    expect(events.map(({ kind }) => kind)).toContain("factor.kept");
  });

  it("is told in the list of users [ADM-45]", async () => {
    const administrator = await accountAdministrator({ has: ["app", "passkey"], setting: "off" });
    const [plain, admin] = [await signUp(), await logInAdmin()];
    const read = async (id: string) => (await answerOf(admin.fetch(`/api/admin/users/${id}`)))[1];
    expect(await read(administrator.id ?? "")).toMatchObject({ hasSecondFactor: true, hasPasskey: true });
    expect(await read(plain.id)).toMatchObject({ hasSecondFactor: false, hasPasskey: false });
  });
});
