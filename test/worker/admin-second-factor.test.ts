import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import {
  accountAdministrator,
  answerPasskey,
  configuredAdministrator,
  enterPassword,
  isAdminIn,
  logInWholly,
  newTotpSecret,
  showCode,
  type TestAdministrator,
} from "../support/admin-second-factor.ts";
import { Authenticator } from "../support/authenticator.ts";
import { Browser, PASSWORD, signUpInBrowser } from "../support/browser.ts";
import { codeAt } from "../support/second-factor.ts";
import { answerOf, rowOf, runSql } from "../support/worker.ts";

const SETUP = [403, { code: "SECOND_FACTOR_SETUP" }] as const;
const SESSION = [200, { isAdmin: true }] as const;
const step = (...methods: string[]) => [200, { isAdmin: false, secondFactor: { methods } }] as const;
const STEP_ENDED = [401, { code: "STEP_ENDED" }];
const WRONG = [401, { code: "SECOND_FACTOR_WRONG" }];

/** What the right password is answered: administrator, what they have, the setting, the answer. */
const ANSWERS = [
  ["settings", [], "off", SESSION],
  ["settings", [], "required", SETUP],
  ["settings", ["app"], "off", step("code")],
  ["settings", ["app"], "required", step("code")],
  ["account", [], "off", SESSION],
  ["account", [], "required", SETUP],
  ["account", ["app"], "off", step("code")],
  ["account", ["app"], "required", step("code")],
  ["account", ["passkey"], "off", SESSION],
  ["account", ["passkey"], "required", step("passkey")],
  ["account", ["app", "passkey"], "off", step("code", "passkey")],
  ["account", ["app", "passkey"], "required", step("code", "passkey")],
] as const;
const ROWS = ANSWERS.flatMap(([whose, has, setting, answer]) =>
  [false, true].map((isTrusted) => ({ whose, has, setting, answer, isTrusted })),
);

/** A browser with the cookie of a device that this person, or anybody, trusts. */
async function trustedBrowser({ id, environment, browser }: TestAdministrator): Promise<Browser> {
  const owner = id === null ? await signUpInBrowser(environment) : { id, browser };
  await runSql("update devices set trusted_until = ? where user_id = ?", Date.now() + 86_400_000, owner.id);
  const other = new Browser(environment);
  other.cookies.set("mayfly.device", owner.browser.cookie("device"));
  return other;
}

describe("the password of an administrator", () => {
  it.each(ROWS)(
    "of the $whose with $has, where the factor is $setting, device trusted: $isTrusted [ADM-38]",
    async ({ whose, has, setting, answer, isTrusted }) => {
      const make = whose === "settings" ? configuredAdministrator : accountAdministrator;
      const administrator = await make({ has, setting });
      const browser = isTrusted ? await trustedBrowser(administrator) : new Browser(administrator.environment);
      expect(await enterPassword(administrator, browser)).toMatchObject(answer);
      expect(await isAdminIn(browser)).toBe(answer === SESSION);
    },
  );

  it("is told where to set a factor up [ADM-39]", async () => {
    const account = await accountAdministrator({ has: [], setting: "required" });
    expect(await enterPassword(account, new Browser(account.environment))).toEqual([
      403,
      {
        code: "SECOND_FACTOR_SETUP",
        message: "Administrators need a second factor here. Set one up first.",
        setUpAt: "/account/security",
      },
    ]);
    const configured = await configuredAdministrator({ has: [], setting: "required" });
    const [, body] = await enterPassword(configured, new Browser(configured.environment));
    expect(body).toEqual({
      code: "SECOND_FACTOR_SETUP",
      message:
        "Administrators need a second factor here. The administrator of the settings gets one by ADMIN_TOTP_SECRET, which npm run deploy makes.",
    });
  });

  it("says nothing of factors when it is wrong [ADM-38]", async () => {
    const administrator = await accountAdministrator({ has: [], setting: "required" });
    const wrong = { ...administrator, password: "a wrong password" };
    const answer = await enterPassword(wrong, new Browser(administrator.environment));
    expect(answer).toEqual([401, { code: "ADMIN_CREDENTIALS", message: "Invalid credentials" }]);
  });
});

describe.each([
  ["the settings", configuredAdministrator],
  ["an account", accountAdministrator],
])("the code of an administrator of %s", (_whose, make) => {
  it("ends the login, and is noted [ADM-40]", async () => {
    const administrator = await make({ has: ["app"], setting: "required" });
    expect(await isAdminIn(await logInWholly(administrator))).toBe(true);
    const { method, sinceConfirmed } = await rowOf<{ method: string; sinceConfirmed: number }>(
      "select method, created_at - confirmed_at as sinceConfirmed from admin_sessions order by rowid desc limit 1",
    );
    expect([method, sinceConfirmed]).toEqual(["code", 0]);
  });

  it("works once, also for two at the same moment [ADM-40]", async () => {
    const administrator = await make({ has: ["app"], setting: "off" });
    const browsers = [new Browser(administrator.environment), new Browser(administrator.environment)];
    for (const browser of browsers) await enterPassword(administrator, browser);
    const code = codeAt(administrator.secret, 0);
    const answers = await Promise.all(browsers.map((browser) => showCode(browser, code)));
    expect(answers.map(([status]) => status).sort()).toEqual([200, 401]);
    // Neither does an earlier one.
    const late = new Browser(administrator.environment);
    await enterPassword(administrator, late);
    expect(await showCode(late, codeAt(administrator.secret, -1))).toMatchObject(WRONG);
    expect(await showCode(late, code)).toMatchObject(WRONG);
    expect((await showCode(late, codeAt(administrator.secret, 1)))[0]).toBe(200);
  });

  it("may be wrong five times [ADM-40]", async () => {
    const administrator = await make({ has: ["app"], setting: "off" });
    const browser = new Browser(administrator.environment);
    await enterPassword(administrator, browser);
    for (let tried = 0; tried < 5; tried += 1) expect(await showCode(browser, "000000")).toMatchObject(WRONG);
    expect(await showCode(browser, codeAt(administrator.secret, 0))).toMatchObject(STEP_ENDED);
    expect(await isAdminIn(browser)).toBe(false);
  });

  it("comes too late after five minutes [ADM-40]", async () => {
    const administrator = await make({ has: ["app"], setting: "off" });
    const browser = new Browser(administrator.environment);
    await enterPassword(administrator, browser);
    await runSql("update steps set expires_at = expires_at - 300000 where kind = 'admin-second-factor'");
    expect(await showCode(browser, codeAt(administrator.secret, 0))).toMatchObject(STEP_ENDED);
  });

  it("needs the password first, and is nothing without the step's cookie [ADM-40]", async () => {
    const administrator = await make({ has: ["app"], setting: "off" });
    const browser = new Browser(administrator.environment);
    expect(await showCode(browser, codeAt(administrator.secret, 0))).toMatchObject(STEP_ENDED);
    await enterPassword(administrator, browser);
    const stranger = new Browser(administrator.environment);
    expect(await showCode(stranger, codeAt(administrator.secret, 0))).toMatchObject(STEP_ENDED);
    // The account's own second step is another one.
    stranger.cookies.set("mayfly.step", browser.cookie("admin-step"));
    const answer = await answerOf(stranger.post("/api/auth/second-factor", { code: codeAt(administrator.secret, 0) }));
    expect(answer).toMatchObject(STEP_ENDED);
  });
});

describe("a recovery code", () => {
  it("does not open the back office [ADM-40]", async () => {
    const administrator = await accountAdministrator({ has: ["app"], setting: "off" });
    const browser = new Browser(administrator.environment);
    await enterPassword(administrator, browser);
    const answer = await answerOf(browser.post("/api/admin/second-factor", { recoveryCode: "AAAAA-AAAAA" }));
    expect(answer).toMatchObject([400, { code: "BAD_REQUEST" }]);
  });
});

describe("a passkey", () => {
  it.each(["off", "required"] as const)("is enough by itself where the factor is %s [ADM-41]", async (setting) => {
    const administrator = await accountAdministrator({ has: ["app", "passkey"], setting });
    const browser = new Browser(administrator.environment);
    const credential = await answerPasskey(browser, administrator, "login");
    expect(await answerOf(browser.post("/api/admin/passkey/login", { credential }))).toMatchObject(SESSION);
    expect(await isAdminIn(browser)).toBe(true);
    expect(await browser.isSignedIn()).toBe(false);
    expect(await rowOf("select method from admin_sessions where user_id = ?", administrator.id)).toEqual({
      method: "passkey",
    });
    // The answer works once.
    const again = await answerOf(
      new Browser(administrator.environment).post("/api/admin/passkey/login", { credential }),
    );
    expect(again).toMatchObject([403, { code: "PASSKEY_REFUSED" }]);
  });

  it("is the second step after a password [ADM-41]", async () => {
    const administrator = await accountAdministrator({ has: ["passkey"], setting: "required" });
    const browser = new Browser(administrator.environment);
    await enterPassword(administrator, browser);
    const passkey = await answerPasskey(browser, administrator, "second-factor");
    expect(await answerOf(browser.post("/api/admin/second-factor", { passkey }))).toMatchObject(SESSION);
    expect(await isAdminIn(browser)).toBe(true);
  });

  it("of a person without the role opens nothing [ADM-41]", async () => {
    const { id } = await signUpInBrowser();
    const authenticator = await Authenticator.create();
    await authenticator.saveFor(id);
    const browser = new Browser();
    const { challenge } = await (
      await browser.post("/api/admin/passkey/options", { purpose: "login" })
    ).json<{ challenge: string }>();
    const credential = await authenticator.assert({ challenge });
    const answer = await answerOf(browser.post("/api/admin/passkey/login", { credential }));
    expect(answer).toMatchObject([403, { code: "ADMIN_REQUIRED" }]);
    expect(await isAdminIn(browser)).toBe(false);
  });

  it("answers no challenge of the accounts' login, and none of another step [ADM-41]", async () => {
    const administrator = await accountAdministrator({ has: ["passkey"], setting: "required" });
    const browser = new Browser(administrator.environment);
    const response = await browser.post("/api/auth/passkey/options", { purpose: "login" });
    const credential = await administrator.authenticator?.assert(await response.json<{ challenge: string }>());
    const answer = await answerOf(browser.post("/api/admin/passkey/login", { credential }));
    expect(answer).toMatchObject([403, { code: "PASSKEY_REFUSED" }]);
    const [first, second] = [new Browser(administrator.environment), new Browser(administrator.environment)];
    await enterPassword(administrator, first);
    await enterPassword(administrator, second);
    const passkey = await answerPasskey(first, administrator, "second-factor");
    const elsewhere = await answerOf(second.post("/api/admin/second-factor", { passkey }));
    expect(elsewhere).toMatchObject([403, { code: "PASSKEY_REFUSED" }]);
  });

  it("is no way for the administrator of the settings", async () => {
    const administrator = await configuredAdministrator({ has: ["app"], setting: "off" });
    const browser = new Browser(administrator.environment);
    await enterPassword(administrator, browser);
    const asked = await answerOf(browser.post("/api/admin/passkey/options", { purpose: "second-factor" }));
    expect(asked).toMatchObject([403, { code: "PASSKEY_REFUSED" }]);
  });
});

describe("a change while somebody is logged in, or about to be", () => {
  it("of ADMIN_TOTP_SECRET ends sessions and steps of the settings' administrator [ADM-42]", async () => {
    const administrator = await configuredAdministrator({ has: ["app"], setting: "off" });
    const browser = await logInWholly(administrator);
    const waiting = new Browser(administrator.environment);
    await enterPassword(administrator, waiting);
    const secret = newTotpSecret();
    const renewed = { ...administrator.environment, ADMIN_TOTP_SECRET: secret };
    const [after, step] = [new Browser(renewed), new Browser(renewed)];
    for (const [name, value] of browser.cookies) after.cookies.set(name, value);
    for (const [name, value] of waiting.cookies) step.cookies.set(name, value);
    expect(await isAdminIn(after)).toBe(false);
    expect(await showCode(step, codeAt(secret, 0))).toMatchObject(STEP_ENDED);
    expect(await isAdminIn(browser)).toBe(true);
  });

  it("to `required` ends sessions that began with a password alone [ADM-42]", async () => {
    const administrator = await accountAdministrator({ has: [], setting: "off" });
    const browser = await logInWholly(administrator);
    const strict = new Browser({ ...env, ADMIN_SECOND_FACTOR: "required" });
    for (const [name, value] of browser.cookies) strict.cookies.set(name, value);
    expect(await isAdminIn(strict)).toBe(false);
    expect(await isAdminIn(browser)).toBe(true);
  });

  it.each([
    ["of the role", "update users set is_admin = 0 where id = ?"],
    ["of the account, which is being deleted", "update users set deleted_at = 1 where id = ?"],
  ])("%s ends the step [ADM-42]", async (_what, sql) => {
    const administrator = await accountAdministrator({ has: ["app"], setting: "off" });
    const browser = new Browser(administrator.environment);
    await enterPassword(administrator, browser);
    await runSql(sql, administrator.id);
    expect(await showCode(browser, codeAt(administrator.secret, 0))).toMatchObject(STEP_ENDED);
  });

  it("of the password ends the step [ADM-42]", async () => {
    const administrator = await accountAdministrator({ has: ["app"], setting: "off" });
    const browser = new Browser(administrator.environment);
    await enterPassword(administrator, browser);
    const passwords = { currentPassword: PASSWORD, newPassword: "another good one" };
    expect((await administrator.browser.post("/api/auth/change-password", passwords)).status).toBe(200);
    expect(await showCode(browser, codeAt(administrator.secret, 0))).toMatchObject(STEP_ENDED);
  });
});
