import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { resealSecrets } from "#worker/sweep/reseal.ts";
import { servicesFor } from "#worker/services.ts";
import { Browser, letConfirmationRunOut, mailsTo, PASSWORD, signUpInBrowser } from "../support/browser.ts";
import { codeAt, setUpFactor } from "../support/second-factor.ts";
import { answerOf, rowOf, runSql } from "../support/worker.ts";

/** A person with an authenticator app. */
async function personWithFactor() {
  const person = await signUpInBrowser();
  return { ...person, ...(await setUpFactor(person.browser)) };
}

/** A new browser in which this person has shown the password. */
async function atSecondStep(email: string, environment: Env = env): Promise<Browser> {
  const browser = new Browser(environment);
  const [, body] = await answerOf(browser.logIn(email));
  expect(body).toMatchObject({ user: null });
  return browser;
}

const show = (browser: Browser, answer: object) => answerOf(browser.post("/api/auth/second-factor", answer));
const WRONG = [401, { code: "SECOND_FACTOR_WRONG", message: "This code is not right, or has been used." }];

describe("setting an authenticator app up", () => {
  it("answers a secret of 160 bits and an address that apps read", async () => {
    const { browser, email } = await signUpInBrowser();
    const [status, body] = await answerOf(browser.post("/api/auth/totp", {}));
    expect(status).toBe(201);
    expect(body.secret).toMatch(/^[A-Z2-7]{32}$/);
    const address = new URL(String(body.address));
    expect(address.protocol).toBe("otpauth:");
    expect(decodeURIComponent(address.pathname)).toContain(email);
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      secret: body.secret,
      algorithm: "SHA1",
      digits: "6",
      period: "30",
    });
  });

  it("asks for nothing before a code was shown [AUTH-33]", async () => {
    const { browser, email } = await signUpInBrowser();
    await browser.post("/api/auth/totp", {});
    expect(await answerOf(browser.post("/api/auth/totp/enable", { code: "12345" }))).toEqual(WRONG);
    expect(await answerOf(browser.fetch("/api/auth/totp"))).toEqual([200, { since: null, recoveryCodesLeft: 0 }]);
    expect(await answerOf(new Browser().logIn(email))).toMatchObject([200, { user: { email } }]);
  });

  it("answers ten recovery codes, tells of it by mail, and ends the trust in devices [AUTH-33]", async () => {
    const { browser, id, email } = await signUpInBrowser();
    await runSql("update devices set trusted_until = ? where user_id = ?", Date.now() + 60_000, id);
    const { recoveryCodes } = await setUpFactor(browser);
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
    expect((await answerOf(browser.fetch("/api/auth/totp")))[1]).toMatchObject({ recoveryCodesLeft: 10 });
    expect((await mailsTo(email))[0]?.subject).toContain("has an authenticator app");
    expect(await rowOf("select trusted_until as until from devices where user_id = ?", id)).toEqual({ until: null });
  });

  it("keeps neither the secret nor a code readable", async () => {
    const { id, secret, recoveryCodes } = await personWithFactor();
    const stored = await rowOf<{ secret: string; codes: string }>(
      `select secret, (select group_concat(code_hash) from recovery_codes where user_id = ?1) as codes
       from second_factors where user_id = ?1`,
      id,
    );
    expect(stored.secret).not.toContain(secret);
    for (const code of recoveryCodes) expect(stored.codes).not.toContain(code.replace("-", ""));
  });

  it("is refused while there is one", async () => {
    const { browser } = await personWithFactor();
    expect(await answerOf(browser.post("/api/auth/totp", {}))).toMatchObject([409, { code: "SECOND_FACTOR_SET" }]);
  });

  it("happens once, when the first code is sent twice at the same time", async () => {
    const { browser, id } = await signUpInBrowser();
    const [, { secret }] = await answerOf(browser.post("/api/auth/totp", {}));
    const enable = () => browser.post("/api/auth/totp/enable", { code: codeAt(String(secret), 0) });
    const statuses = (await Promise.all([enable(), enable()])).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(await rowOf("select count(*) as n from recovery_codes where user_id = ?", id)).toEqual({ n: 10 });
  });
});

describe("a code of the app", () => {
  it("that has turned the app on is used up", async () => {
    const { browser, email } = await signUpInBrowser();
    const [, { secret }] = await answerOf(browser.post("/api/auth/totp", {}));
    const code = codeAt(String(secret), 0);
    expect((await browser.post("/api/auth/totp/enable", { code })).status).toBe(200);
    expect(await show(await atSecondStep(email), { code })).toEqual(WRONG);
  });

  it("signs in at the second step [AUTH-34]", async () => {
    const { id, email, secret } = await personWithFactor();
    const browser = await atSecondStep(email);
    expect(await show(browser, { code: codeAt(secret, 0) })).toMatchObject([200, { user: { id, email } }]);
    expect(await browser.isSignedIn()).toBe(true);
  });

  it("does not sign in three time steps off", async () => {
    const { email, secret } = await personWithFactor();
    const browser = await atSecondStep(email);
    expect(await show(browser, { code: codeAt(secret, -3) })).toEqual(WRONG);
    expect(await browser.isSignedIn()).toBe(false);
  });

  it("works once, also when two browsers send it at the same time [AUTH-34]", async () => {
    const { email, secret } = await personWithFactor();
    const browsers = [await atSecondStep(email), await atSecondStep(email)];
    const code = codeAt(secret, 0);
    const answers = await Promise.all(browsers.map((browser) => show(browser, { code })));
    expect(answers.map(([status]) => status).sort()).toEqual([200, 401]);
    expect(await show(await atSecondStep(email), { code })).toEqual(WRONG);
  });

  it("ends with its step after five wrong ones [AUTH-34]", async () => {
    const { email, secret } = await personWithFactor();
    const browser = await atSecondStep(email);
    for (let tries = 0; tries < 5; tries += 1) expect(await show(browser, { code: "not one" })).toEqual(WRONG);
    const ended = [401, { code: "STEP_ENDED" }];
    expect(await show(browser, { code: codeAt(secret, 0) })).toMatchObject(ended);
    expect(await show(await atSecondStep(email), { code: codeAt(secret, 0) })).toMatchObject([200, {}]);
  });

  it("without a step, or with an ended one, is refused", async () => {
    const { email, secret } = await personWithFactor();
    expect(await show(new Browser(), { code: codeAt(secret, 0) })).toMatchObject([401, { code: "STEP_ENDED" }]);
    const browser = await atSecondStep(email);
    await runSql("update steps set expires_at = 1 where kind = 'second-factor'");
    expect(await show(browser, { code: codeAt(secret, 0) })).toMatchObject([401, { code: "STEP_ENDED" }]);
  });

  it("of another account does not sign in", async () => {
    const { email } = await personWithFactor();
    const other = await personWithFactor();
    const browser = await atSecondStep(email);
    expect(await show(browser, { code: codeAt(other.secret, 0) })).toEqual(WRONG);
    expect(await show(browser, { recoveryCode: other.recoveryCodes[0] })).toEqual(WRONG);
  });

  it("confirms a session, which a password no longer does", async () => {
    const { browser, id, secret } = await personWithFactor();
    await letConfirmationRunOut(id);
    expect(await answerOf(browser.post("/api/auth/confirm", { password: PASSWORD }))).toMatchObject([
      403,
      { code: "CONFIRM_REQUIRED", methods: ["code"] },
    ]);
    const code = codeAt(secret, 0);
    expect((await browser.post("/api/auth/confirm", { code })).status).toBe(200);
    expect(await answerOf(browser.post("/api/auth/confirm", { code }))).toEqual(WRONG);
    expect((await browser.post("/api/keys", { name: "A program", scopes: ["upload"] })).status).toBe(201);
  });

  it("is worth nothing once the password was replaced", async () => {
    const { browser, email, secret } = await personWithFactor();
    const waiting = await atSecondStep(email);
    const change = { currentPassword: PASSWORD, newPassword: "another good password" };
    expect((await browser.post("/api/auth/change-password", change)).status).toBe(200);
    expect(await show(waiting, { code: codeAt(secret, 0) })).toMatchObject([401, { code: "STEP_ENDED" }]);
  });
});

describe("a recovery code", () => {
  it.each([
    ["as it is shown", (code: string) => code],
    ["in small letters and without its hyphen", (code: string) => code.toLowerCase().replace("-", "")],
    ["with spaces, and letters for digits", (code: string) => ` ${code.replace(/0/g, "o").replace(/1/g, "l")} `],
  ])("signs in %s, and is mailed", async (_how, type) => {
    const { email, recoveryCodes } = await personWithFactor();
    const [code = ""] = recoveryCodes;
    const browser = await atSecondStep(email);
    expect(await show(browser, { recoveryCode: type(code) })).toMatchObject([200, { user: { email } }]);
    const mail = (await mailsTo(email)).find(({ subject }) => subject.includes("was used"));
    expect(mail?.text).toContain("9 codes are left.");
    expect(mail?.text).not.toContain("Make new recovery codes soon");
    const { method } = await rowOf<{ method: string }>(
      "select method from sessions where user_id = (select id from users where email = ?) order by rowid desc limit 1",
      email,
    );
    expect(method).toBe("recovery");
  });

  it("works once, also in a race [AUTH-35]", async () => {
    const { email, recoveryCodes } = await personWithFactor();
    const browsers = [await atSecondStep(email), await atSecondStep(email)];
    const answers = await Promise.all(browsers.map((browser) => show(browser, { recoveryCode: recoveryCodes[0] })));
    expect(answers.map(([status]) => status).sort()).toEqual([200, 401]);
    expect(await show(await atSecondStep(email), { recoveryCode: recoveryCodes[0] })).toEqual(WRONG);
  });

  it("is mailed with a reminder when three are left [AUTH-35]", async () => {
    const { id, email, recoveryCodes } = await personWithFactor();
    await runSql(
      `update recovery_codes set used_at = 1
       where rowid in (select rowid from recovery_codes where user_id = ? order by rowid limit 6)`,
      id,
    );
    expect(await show(await atSecondStep(email), { recoveryCode: recoveryCodes[9] })).toMatchObject([200, {}]);
    const mail = (await mailsTo(email)).find(({ subject }) => subject.includes("was used"));
    expect(mail?.text).toContain("3 codes are left.");
    expect(mail?.text).toContain("Make new recovery codes soon");
  });

  it("no longer works once new ones were made", async () => {
    const { browser, email, recoveryCodes } = await personWithFactor();
    const [, { recoveryCodes: renewed }] = await answerOf(browser.post("/api/auth/recovery-codes", {}));
    const waiting = await atSecondStep(email);
    expect(await show(waiting, { recoveryCode: recoveryCodes[0] })).toEqual(WRONG);
    expect(await show(waiting, { recoveryCode: (renewed as string[])[0] })).toMatchObject([200, {}]);
  });
});

describe("a trusted device", () => {
  async function trusting() {
    const person = await personWithFactor();
    const device = await atSecondStep(person.email);
    await show(device, { code: codeAt(person.secret, 0), trustDevice: true });
    return { ...person, device };
  }

  it("is not asked for a code for 30 days; others are [AUTH-36]", async () => {
    const { id, email, device } = await trusting();
    const { until } = await rowOf<{ until: number }>(
      "select max(trusted_until) as until from devices where user_id = ?",
      id,
    );
    expect(Math.round((until - Date.now()) / 86_400_000)).toBe(30);
    expect(await answerOf(device.logIn(email))).toMatchObject([200, { user: { email } }]);
    await atSecondStep(email);
  });

  it.each<[string, (browser: Browser) => Promise<Response>]>([
    [
      "a new password",
      (browser) =>
        browser.post("/api/auth/change-password", { currentPassword: PASSWORD, newPassword: "another good password" }),
    ],
    ["signing out everywhere", (browser) => browser.post("/api/auth/sign-out-everywhere", {})],
  ])("is asked again after %s [AUTH-36]", async (what, change) => {
    const { browser, email, device } = await trusting();
    expect((await change(browser)).status).toBe(200);
    const password = what === "a new password" ? "another good password" : PASSWORD;
    expect(await answerOf(device.logIn(email, password))).toMatchObject([200, { user: null }]);
  });
});

describe("removing the app", () => {
  it("needs a confirmation by it, takes its recovery codes with it, and is mailed", async () => {
    const { browser, id, email, secret } = await personWithFactor();
    await letConfirmationRunOut(id);
    const remove = () => answerOf(browser.fetch("/api/auth/totp", { method: "DELETE" }));
    expect(await remove()).toMatchObject([403, { code: "CONFIRM_REQUIRED", methods: ["code"] }]);
    await browser.post("/api/auth/confirm", { code: codeAt(secret, 0) });
    expect((await remove())[0]).toBe(200);
    expect(await rowOf("select count(*) as n from recovery_codes where user_id = ?", id)).toEqual({ n: 0 });
    expect((await mailsTo(email)).some(({ subject }) => subject.includes("was removed"))).toBe(true);
    expect(await answerOf(new Browser().logIn(email))).toMatchObject([200, { user: { email } }]);
    expect((await remove())[0]).toBe(404);
  });
});

describe("the secret of an app under the former DATA_KEY", () => {
  it("still works, and its recovery codes too, once it is sealed anew", async () => {
    const { id, email, secret, recoveryCodes } = await personWithFactor();
    const renewed = { ...env, DATA_KEY: "another data key that is long enough", DATA_KEY_FORMER: env.DATA_KEY };
    const sealed = () => rowOf<{ secret: string }>("select secret from second_factors where user_id = ?", id);
    const before = await sealed();
    expect(await resealSecrets(servicesFor(renewed))).toBeGreaterThan(0);
    expect(await sealed()).not.toEqual(before);
    const last = { ...env, DATA_KEY: renewed.DATA_KEY };
    expect(await show(await atSecondStep(email, last), { code: codeAt(secret, 0) })).toMatchObject([200, {}]);
    const browser = await atSecondStep(email, last);
    expect(await show(browser, { recoveryCode: recoveryCodes[0] })).toMatchObject([200, {}]);
    // Other tests of this file know the present key alone.
    await runSql("delete from second_factors where user_id = ?", id);
  });
});
