import { describe, expect, it } from "vitest";
import { Authenticator } from "../support/authenticator.ts";
import { Browser, letConfirmationRunOut, mailsTo, PASSWORD, signUpInBrowser, tokenIn } from "../support/browser.ts";
import { codeAt, setUpFactor } from "../support/second-factor.ts";
import { answerOf, rowOf, runSql } from "../support/worker.ts";

const GUESSED = "Wrong codes for your Mayfly account / Falsche Codes für dein Mayfly-Konto";
const STOPPED = "Your Mayfly account takes no more codes / Dein Mayfly-Konto nimmt keine Codes mehr an";
const REFUSED = [
  403,
  {
    code: "CODES_STOPPED",
    message:
      "Too many wrong codes were entered, so codes no longer work here. Use a recovery code or a passkey, or set another password by “Forgot password?”: then they work again.",
  },
];

async function personWithFactor() {
  const person = await signUpInBrowser();
  await runSql("update users set is_verified = 1 where id = ?", person.id);
  return { ...person, ...(await setUpFactor(person.browser)) };
}
type PersonWithFactor = Awaited<ReturnType<typeof personWithFactor>>;

async function atSecondStep(email: string, password = PASSWORD): Promise<Browser> {
  const browser = new Browser();
  expect((await answerOf(browser.logIn(email, password)))[1]).toMatchObject({ user: null });
  return browser;
}

const show = (browser: Browser, answer: object) => answerOf(browser.post("/api/auth/second-factor", answer));
const confirm = (browser: Browser, code: string) => answerOf(browser.post("/api/auth/confirm", { code }));

/** A code that is none of those that work around now. */
function wrongCode(secret: string): string {
  const right = [-2, -1, 0, 1, 2].map((steps) => codeAt(secret, steps));
  return ["000000", "111111", "222222", "333333", "444444", "555555"].find((code) => !right.includes(code)) ?? "";
}

const setWrong = (id: string, count: number) =>
  runSql("update second_factors set wrong_codes = ? where user_id = ?", count, id);
const wrongOf = (id: string) => rowOf("select wrong_codes as n from second_factors where user_id = ?", id);

/** The subjects of the mails about wrong codes. */
async function told(email: string): Promise<string[]> {
  const subjects = (await mailsTo(email)).map(({ subject }) => subject);
  return subjects.filter((subject) => subject === GUESSED || subject === STOPPED);
}

describe("wrong codes of an authenticator app", () => {
  it("are told to its owner once there are ten in a row, at whatever door [AUTH-48]", async () => {
    const { id, email, secret, browser } = await personWithFactor();
    const code = wrongCode(secret);
    for (const _ of [1, 2]) {
      const stranger = await atSecondStep(email);
      for (let tried = 0; tried < 4; tried += 1) expect((await show(stranger, { code }))[0]).toBe(401);
    }
    await letConfirmationRunOut(id);
    expect((await confirm(browser, code))[0]).toBe(401);
    expect(await told(email)).toEqual([]);
    const stranger = await atSecondStep(email);
    expect((await show(stranger, { code }))[0]).toBe(401);
    expect(await told(email)).toEqual([GUESSED]);
    expect((await show(stranger, { code }))[0]).toBe(401);
    expect(await told(email)).toEqual([GUESSED]);
    const text = (await mailsTo(email)).find(({ subject }) => subject === GUESSED)?.text;
    expect(text).toContain("10 wrong codes of your authenticator app have been entered since the last right one.");
    expect(text).toContain(
      "Seit dem letzten richtigen Code wurden 10 falsche Codes deiner Authenticator-App eingegeben.",
    );
  });

  it("are forgotten after a right one", async () => {
    const { id, email, secret } = await personWithFactor();
    await setWrong(id, 9);
    expect((await show(await atSecondStep(email), { code: codeAt(secret, 0) }))[0]).toBe(200);
    expect((await show(await atSecondStep(email), { code: wrongCode(secret) }))[0]).toBe(401);
    expect([await wrongOf(id), await told(email)]).toEqual([{ n: 1 }, []]);
  });

  it("are no more than a hundred, also when they come at once [AUTH-48]", async () => {
    const { id, email, secret } = await personWithFactor();
    await setWrong(id, 95);
    const steps = await Promise.all([1, 2].map(() => atSecondStep(email)));
    const answers = await Promise.all(
      steps.flatMap((stranger) => Array.from({ length: 5 }, () => show(stranger, { code: wrongCode(secret) }))),
    );
    expect(answers.map(([, { code }]) => code).sort()).toEqual([
      ...Array<string>(5).fill("CODES_STOPPED"),
      ...Array<string>(5).fill("SECOND_FACTOR_WRONG"),
    ]);
    expect([await wrongOf(id), await told(email)]).toEqual([{ n: 100 }, [STOPPED]]);
  });

  it("after a hundred, no door takes the right one either [AUTH-48]", async () => {
    const { id, email, secret, browser } = await personWithFactor();
    await runSql("update users set is_admin = 1 where id = ?", id);
    await setWrong(id, 100);
    const code = codeAt(secret, 0);
    expect(await show(await atSecondStep(email), { code })).toEqual(REFUSED);
    await letConfirmationRunOut(id);
    expect(await confirm(browser, code)).toEqual(REFUSED);
    const admin = new Browser();
    await admin.post("/api/admin/login", { username: email, password: PASSWORD });
    expect(await answerOf(admin.post("/api/admin/second-factor", { code }))).toEqual(REFUSED);
    expect(await told(email)).toEqual([]);
  });
});

/** What shows that it is the owner: codes are taken again. */
const HELPS: Record<string, (person: PersonWithFactor) => Promise<string | undefined>> = {
  "a recovery code": async ({ email, recoveryCodes: [recoveryCode] }) => {
    expect((await show(await atSecondStep(email), { recoveryCode }))[0]).toBe(200);
    return undefined;
  },
  "a passkey at the second step": async ({ id, email }) => {
    const authenticator = await Authenticator.create();
    await authenticator.saveFor(id);
    const browser = await atSecondStep(email);
    const options = await browser.post("/api/auth/passkey/options", { purpose: "second-factor" });
    const passkey = await authenticator.assert(await options.json());
    expect((await show(browser, { passkey }))[0]).toBe(200);
    return undefined;
  },
  "a passkey instead of a password": async ({ id }) => {
    const authenticator = await Authenticator.create();
    await authenticator.saveFor(id);
    const browser = new Browser();
    const options = await browser.post("/api/auth/passkey/options", { purpose: "login" });
    const credential = await authenticator.assert(await options.json());
    expect((await browser.post("/api/auth/passkey/login", { credential })).status).toBe(200);
    return undefined;
  },
  "a reset": async ({ email }) => {
    await new Browser().post("/api/auth/reset-password", { email });
    const token = () => tokenIn(email, "Set a new password");
    await expect.poll(token).not.toBe("");
    const newPassword = "another password";
    const body = { newPassword, token: await token() };
    expect((await new Browser().post("/api/auth/reset-password", body)).status).toBe(200);
    return newPassword;
  },
};

describe("after a hundred wrong codes", () => {
  it.each(Object.entries(HELPS))("%s helps, and codes are taken again [AUTH-48]", async (_what, help) => {
    const person = await personWithFactor();
    await setWrong(person.id, 100);
    const password = await help(person);
    expect(await wrongOf(person.id)).toEqual({ n: 0 });
    const browser = await atSecondStep(person.email, password);
    expect((await show(browser, { code: codeAt(person.secret, 0) }))[0]).toBe(200);
  });

  it("what fails helps nobody", async () => {
    const { id, email } = await personWithFactor();
    await setWrong(id, 100);
    expect((await show(await atSecondStep(email), { recoveryCode: "00000-00000" }))[0]).toBe(401);
    expect((await new Browser().logIn(email, "a wrong password")).status).toBe(401);
    expect(await wrongOf(id)).toEqual({ n: 100 });
  });
});
