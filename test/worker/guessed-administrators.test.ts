import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { enforceRateLimit } from "#worker/limits/enforce-rate-limit.ts";
import { servicesFor } from "#worker/services.ts";
import { newTotpSecret } from "../support/admin-second-factor.ts";
import { Authenticator } from "../support/authenticator.ts";
import { Browser, PASSWORD, signUpInBrowser } from "../support/browser.ts";
import { newAddress } from "../support/limit-rows.ts";
import { mailsTo, type StoredMail } from "../support/mails.ts";
import { codeAt } from "../support/second-factor.ts";
import { watchBackground } from "../support/worker-with-env.ts";
import { answerOf, runSql, stopClockAt } from "../support/worker.ts";

const LIMITED = { ...env, RATE_LIMITS: "on" as const };
const settled = watchBackground(LIMITED);
const MINUTE = 60_000;
const DAY = 86_400_000;
const PASSWORDS =
  "Somebody is guessing an administrator's password at Mayfly / Jemand errät bei Mayfly ein Administrator-Passwort";
const CODES = "Wrong codes of an administrator of Mayfly / Falsche Codes eines Administrators von Mayfly";

interface Guessed {
  username: string;
  password: string;
  /** Where they are told. */
  email: string;
  environment: Env;
  /** Waits until nothing runs behind the environment's answers. */
  settled(): Promise<void>;
}

/** Whom somebody guesses; each test has its own. */
const ADMINISTRATORS: Record<string, () => Promise<Guessed>> = {
  "with an account": async () => {
    const { id, email } = await signUpInBrowser();
    await runSql("update users set is_admin = 1 where id = ?", id);
    return { username: email, password: PASSWORD, email, environment: LIMITED, settled };
  },
  "of the settings": async () => {
    const username = `admin-${crypto.randomUUID()}`;
    const email = `${username}@example.com`;
    const environment = { ...LIMITED, ADMIN_USERNAME: username, CONTACT_EMAIL: email };
    const watched = { environment, settled: watchBackground(environment) };
    return Promise.resolve({ username, password: env.ADMIN_PASSWORD, email, ...watched });
  },
};

/** One try from an address that nobody has used. */
async function tryPassword({ username, environment }: Guessed, password = "a wrong password"): Promise<Response> {
  const headers = { "content-type": "application/json", "cf-connecting-ip": newAddress() };
  const body = JSON.stringify({ username, password });
  return new Browser(environment).fetch("/api/admin/login", { method: "POST", headers, body });
}
const statusOf = async (guessed: Guessed, password?: string) => (await tryPassword(guessed, password)).status;
/** The mails to them, which are sent behind the answers. */
async function told(guessed: Guessed): Promise<StoredMail[]> {
  await guessed.settled();
  return mailsTo(guessed.email);
}
const subjectsTo = async (guessed: Guessed) => (await told(guessed)).map(({ subject }) => subject);

describe.each(Object.entries(ADMINISTRATORS))("the password of an administrator %s", (_whose, create) => {
  it("may be tried ten times in 15 minutes from all addresses together, and then every 30 seconds [ADM-47]", async () => {
    const guessed = await create();
    const begin = Date.now();
    stopClockAt(begin);
    for (let count = 0; count < 10; count += 1) expect(await statusOf(guessed)).toBe(401);
    const rejected = await tryPassword(guessed, guessed.password);
    expect([rejected.status, rejected.headers.get("retry-after")]).toEqual([429, "30"]);
    stopClockAt(begin + 29_999);
    expect(await statusOf({ ...guessed, username: guessed.username.toUpperCase() }, guessed.password)).toBe(429);
    stopClockAt(begin + 30_000);
    expect(await statusOf(guessed, guessed.password)).toBe(200);
    expect(await statusOf(guessed, guessed.password)).toBe(429);
  });

  it("that is wrong ten times is told, also over weeks, and then once a day [ADM-47]", async () => {
    const guessed = await create();
    const begin = Date.now();
    for (let count = 0; count < 9; count += 1) {
      stopClockAt(begin + count * 3 * DAY);
      expect(await statusOf(guessed)).toBe(401);
    }
    expect(await subjectsTo(guessed)).toEqual([]);
    stopClockAt(begin + 28 * DAY);
    expect(await statusOf(guessed)).toBe(401);
    expect(await subjectsTo(guessed)).toEqual([PASSWORDS]);
    stopClockAt(begin + 29 * DAY - MINUTE);
    expect(await statusOf(guessed)).toBe(401);
    // Waiting for the mail has moved the clock by some milliseconds.
    stopClockAt(begin + 29 * DAY + MINUTE);
    expect(await statusOf(guessed)).toBe(401);
    expect(await subjectsTo(guessed)).toEqual([PASSWORDS, PASSWORDS]);
    const [{ text } = { text: "" }] = await told(guessed);
    expect(text).toContain(`10 wrong passwords of ${guessed.username} have been entered since the last right one.`);
    expect(text).toContain(
      `Seit dem letzten richtigen wurden 10 falsche Passwörter von ${guessed.username} eingegeben.`,
    );
  });

  it("that is right begins anew", { tags: "long" }, async () => {
    const guessed = await create();
    for (let count = 0; count < 9; count += 1) expect(await statusOf(guessed)).toBe(401);
    expect(await statusOf(guessed, guessed.password)).toBe(200);
    stopClockAt(Date.now() + 15 * MINUTE);
    for (let count = 0; count < 9; count += 1) expect(await statusOf(guessed)).toBe(401);
    expect(await subjectsTo(guessed)).toEqual([]);
    await statusOf(guessed);
    expect(await subjectsTo(guessed)).toEqual([PASSWORDS]);
  });
});

it("guessing the password of an account's administrator at the accounts' login is told, too", async () => {
  const guessed = await ADMINISTRATORS["with an account"]?.();
  if (!guessed) return expect.unreachable();
  const logIn = (password: string) => {
    const headers = { "content-type": "application/json", "cf-connecting-ip": newAddress() };
    const body = JSON.stringify({ email: guessed.email, password });
    return new Browser(LIMITED).fetch("/api/auth/login", { method: "POST", headers, body });
  };
  for (let count = 0; count < 5; count += 1) {
    expect((await logIn("a wrong password")).status).toBe(401);
    expect(await statusOf(guessed)).toBe(401);
  }
  expect(await subjectsTo(guessed)).toEqual([PASSWORDS]);
});

it("nobody is told of wrong passwords of people who are no administrators", async () => {
  const { email } = await signUpInBrowser();
  const guessed = { username: email, password: "", email, environment: LIMITED, settled };
  for (let count = 0; count < 10; count += 1) expect(await statusOf(guessed)).toBe(401);
  expect(await told(guessed)).toEqual([]);
});

it("whoever guesses an administrator's password keeps no passkey of theirs out [ADM-47]", async () => {
  const { id, email } = await signUpInBrowser();
  await runSql("update users set is_admin = 1 where id = ?", id);
  const authenticator = await Authenticator.create();
  await authenticator.saveFor(id);
  stopClockAt(Date.now());
  const guessed = { username: email, password: PASSWORD, email, environment: LIMITED, settled };
  for (let count = 0; count < 10; count += 1) await statusOf(guessed);
  expect(await statusOf(guessed, PASSWORD)).toBe(429);
  const browser = new Browser(LIMITED);
  const options = await browser.post("/api/admin/passkey/options", { purpose: "login" });
  const credential = await authenticator.assert(await options.json());
  expect((await browser.post("/api/admin/passkey/login", { credential })).status).toBe(200);
});

describe("codes of the administrator of the settings", () => {
  async function withApp(): Promise<Guessed & { secret: string }> {
    const guessed = await ADMINISTRATORS["of the settings"]?.();
    if (!guessed) return expect.unreachable();
    const secret = newTotpSecret();
    const environment = { ...guessed.environment, ADMIN_TOTP_SECRET: secret };
    return { ...guessed, secret, environment, settled: watchBackground(environment) };
  }

  /** A browser in which the password was shown. */
  async function atSecondStep({ username, password, environment }: Guessed): Promise<Browser> {
    const browser = new Browser(environment);
    expect((await browser.post("/api/admin/login", { username, password })).status).toBe(200);
    return browser;
  }
  const show = (browser: Browser, code: string) => answerOf(browser.post("/api/admin/second-factor", { code }));

  it("that are wrong ten times are told", async () => {
    const guessed = await withApp();
    for (const _ of [1, 2]) {
      const browser = await atSecondStep(guessed);
      for (let tried = 0; tried < 5; tried += 1) expect((await show(browser, "wrong"))[0]).toBe(401);
    }
    expect(await subjectsTo(guessed)).toEqual([CODES]);
    const [{ text } = { text: "" }] = await told(guessed);
    expect(text).toContain("Set another ADMIN_PASSWORD");
  });

  it("are looked at once an hour after a hundred wrong ones, for a month; a right one is not counted", async () => {
    const guessed = await withApp();
    const { username: account, environment, secret } = guessed;
    // Other tests have shown codes in the last quarter of an hour.
    const begin = Date.now() + 60 * MINUTE;
    stopClockAt(begin);
    for (let count = 0; count < 99; count += 1) {
      await enforceRateLimit(servicesFor(environment), "configuredCode", { ip: "", account });
    }
    expect((await show(await atSecondStep(guessed), codeAt(secret, 0)))[0]).toBe(200);
    expect((await show(await atSecondStep(guessed), "wrong"))[0]).toBe(401);
    stopClockAt(begin + 60 * MINUTE - 1);
    expect(await show(await atSecondStep(guessed), codeAt(secret, 0))).toMatchObject([429, { code: "RATE_LIMITED" }]);
    stopClockAt(begin + 60 * MINUTE);
    expect((await show(await atSecondStep(guessed), "wrong"))[0]).toBe(401);
    expect((await show(await atSecondStep(guessed), codeAt(secret, 0)))[0]).toBe(429);
  });
});
