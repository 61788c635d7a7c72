// @module-tag long
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { Authenticator } from "../support/authenticator.ts";
import { Browser, PASSWORD, signUpInBrowser } from "../support/browser.ts";
import { interceptQueries } from "../support/query-interceptor.ts";
import { codeAt, setUpFactor } from "../support/second-factor.ts";
import { methodsIn, newPerson, PROVIDERS, WAYS_IN, type Person } from "../support/ways-in.ts";
import { answerOf, rowOf, runSql } from "../support/worker.ts";

interface State {
  state: string;
  /** Brings the account into it. @returns recovery codes */
  prepare(person: Person): Promise<string[]>;
  /** Whether the browser of the sign-up comes back; otherwise a new one. */
  onKnownDevice: boolean;
  /** Whether the second factor is asked for after one factor. */
  asks: boolean;
  /** Whether a factor is set and this device is spared it: what signs in with one factor then confirms nothing. */
  spares: boolean;
}

const setFactor = async ({ browser }: Person) => (await setUpFactor(browser)).recoveryCodes;

/** Sets a factor up, and signs in with "do not ask on this device". */
async function trustDevice({ browser, email }: Person): Promise<string[]> {
  const { secret, recoveryCodes } = await setUpFactor(browser);
  expect(await methodsIn(browser.logIn(email))).toEqual(["code", "recoveryCode"]);
  const answer = { code: codeAt(secret, 0), trustDevice: true };
  expect((await browser.post("/api/auth/second-factor", answer)).status).toBe(200);
  return recoveryCodes;
}

const STATES: State[] = [
  { state: "no factor", prepare: () => Promise.resolve([]), onKnownDevice: false, asks: false, spares: false },
  {
    state: "a factor that was never confirmed",
    async prepare({ browser }) {
      expect((await browser.post("/api/auth/totp", {})).status).toBe(201);
      return [];
    },
    onKnownDevice: true,
    asks: false,
    spares: false,
  },
  { state: "a factor, on a new device", prepare: setFactor, onKnownDevice: false, asks: true, spares: false },
  {
    state: "a factor, on a known device that is not trusted",
    prepare: setFactor,
    onKnownDevice: true,
    asks: true,
    spares: false,
  },
  { state: "a factor, on a trusted device", prepare: trustDevice, onKnownDevice: true, asks: false, spares: true },
  {
    state: "a factor, on a device whose trust has run out",
    async prepare(person) {
      const recoveryCodes = await trustDevice(person);
      await runSql("update devices set trusted_until = ? where user_id = ?", Date.now() - 1, person.id);
      return recoveryCodes;
    },
    onKnownDevice: true,
    asks: true,
    spares: false,
  },
  {
    state: "a factor, on a new device while another one is trusted",
    prepare: trustDevice,
    onKnownDevice: false,
    asks: true,
    spares: false,
  },
];

const PAIRS = WAYS_IN.flatMap((way) => STATES.map((state) => ({ ...way, ...state })));

describe("the gate", () => {
  it.each(PAIRS)("lets $way in with $state as its factors allow [AUTH-24, AUTH-26]", async (row) => {
    const person = await newPerson();
    const recoveryCodes = await row.prepare(person);
    await runSql("delete from sessions where user_id = ?", person.id);
    const browser = row.onKnownDevice ? person.browser : new Browser(PROVIDERS);
    for (const name of browser.cookies.keys()) if (name.includes("session_token")) browser.cookies.delete(name);
    const methods = await row.enter({ ...person, recoveryCodes }, browser);
    const isAsked = row.asks && row.factors === 1;
    expect(methods).toEqual(isAsked ? ["code", "recoveryCode"] : null);
    expect(await browser.isSignedIn()).toBe(!isAsked);
    const { results } = await env.DB.prepare(
      "select method, confirmed_at is not null as isConfirmed from sessions where user_id = ?",
    )
      .bind(person.id)
      .all();
    // Where nobody asked for the recovery code, the password did it.
    const method = row.method === "recovery" && !row.asks ? "password" : row.method;
    const isConfirmed = !row.spares || method === "passkey" ? 1 : 0;
    expect(results).toEqual(isAsked ? [] : [{ method, isConfirmed }]);
  });

  it.each(WAYS_IN)("lets $way into no account that is being deleted", async ({ enter }) => {
    const person = await newPerson();
    await runSql("update users set deleted_at = 1 where id = ?", person.id);
    const browser = new Browser(PROVIDERS);
    await enter(person, browser).catch(() => null);
    expect(await browser.isSignedIn()).toBe(false);
    expect(await rowOf("select count(*) as n from sessions where user_id = ?", person.id)).toEqual({ n: 1 });
  });

  it("lets only what proves the address into an account that has not, where that is required", async () => {
    const environment = { ...PROVIDERS, EMAIL_VERIFICATION: "required" };
    const entered: Record<string, boolean> = {};
    for (const { method, enter } of WAYS_IN.filter(({ method }) => method !== "recovery")) {
      const person = { ...(await signUpInBrowser(PROVIDERS)), recoveryCodes: [] };
      const browser = new Browser(environment);
      await enter(person, browser);
      entered[method] = await browser.isSignedIn();
    }
    expect(entered).toEqual({ password: false, mail: true, provider: true, passkey: false });
  });

  it("names what the second factor can be, and keeps the step for five minutes [AUTH-24]", async () => {
    const { browser: signedIn, id, email } = await signUpInBrowser();
    await setUpFactor(signedIn);
    await (await Authenticator.create()).saveFor(id);
    const browser = new Browser();
    const response = await browser.logIn(email);
    expect([response.status, await response.json()]).toEqual([
      200,
      { user: null, secondFactor: { methods: ["code", "passkey", "recoveryCode"] } },
    ]);
    expect(response.headers.getSetCookie().filter((cookie) => !cookie.startsWith("mayfly.bookmark"))).toEqual([
      expect.stringMatching(/^mayfly\.step=[0-9a-f]{64}; Max-Age=300; Path=\/; HttpOnly; SameSite=Strict$/),
    ]);
    const step = await rowOf<{ kind: string; attempts: number; data: string; expires_at: number }>(
      "select kind, attempts, data, expires_at from steps where user_id = ?",
      id,
    );
    expect(step).toMatchObject({
      kind: "second-factor",
      attempts: 0,
      data: '{"by":"password","rememberMe":false,"accessRevision":1}',
    });
    expect(step.expires_at).toBeGreaterThan(Date.now() + 290_000);
    expect(step.expires_at).toBeLessThanOrEqual(Date.now() + 300_000);
  });

  it("notes in the session how and when it began, and on which device", async () => {
    const begin = Date.now();
    const { id } = await signUpInBrowser();
    const session = await rowOf<{ method: string; confirmed_at: number; device_id: string }>(
      "select method, confirmed_at, device_id from sessions where user_id = ?",
      id,
    );
    const device = await rowOf<{ id: string }>("select id from devices where user_id = ?", id);
    expect(session).toMatchObject({ method: "password", device_id: device.id });
    expect(session.confirmed_at).toBeGreaterThanOrEqual(begin);
    expect(session.confirmed_at).toBeLessThanOrEqual(Date.now());
  });

  it("a person whose password was taken away is refused with the same words", async () => {
    const { id, email } = await signUpInBrowser();
    await runSql("update accounts set password = null where user_id = ?", id);
    const refused = await answerOf(new Browser().logIn(email));
    expect(refused).toEqual(await answerOf(new Browser().logIn(`nobody-${email}`, PASSWORD)));
    expect(refused).toMatchObject([401, { code: "INVALID_CREDENTIALS" }]);
  });

  it("waits for the database three times", async () => {
    const { email } = await signUpInBrowser();
    // A younger account gets no mail, so nothing runs behind the answer.
    await runSql("update users set created_at = ? where email = ?", Date.now(), email);
    const rounds: string[] = [];
    const DB = interceptQueries(env.DB, (queries, go) => {
      rounds.push(queries.map(({ text }) => text.slice(0, 40)).join(" + "));
      return go();
    });
    expect((await new Browser({ ...env, DB }).logIn(email)).status).toBe(200);
    expect(rounds).toHaveLength(3);
  });
});
