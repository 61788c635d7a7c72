import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import type { SignInMethod } from "#domain/sign-in.ts";
import { readVisit } from "#worker/accounts/visit.ts";
import { signIn, type SignInResult } from "#worker/accounts/sign-in.ts";
import { servicesFor } from "#worker/services.ts";
import { Authenticator } from "../support/authenticator.ts";
import { Browser, mailsTo, PASSWORD, signUpInBrowser } from "../support/browser.ts";
import { interceptQueries } from "../support/query-interceptor.ts";
import { answerOf, rowOf, runSql } from "../support/worker.ts";

type Person = Awaited<ReturnType<typeof signUpInBrowser>>;

/** What a way in answered. */
interface Outcome {
  isSignedIn: boolean;
  /** Null where no second factor was asked for. */
  methods: string[] | null;
}

interface WayIn {
  way: string;
  /** How many factors it shows by itself. */
  factors: 1 | 2;
  /** Signs a person in from a browser, which may have cookies of theirs. */
  enter(person: Person, browser: Browser): Promise<Outcome>;
}

/** Calls the gate itself, for ways that have no call of their own yet and so cannot differ from it. */
function throughGate(by: "provider" | "recovery", factors: 1 | 2): WayIn {
  return {
    way: `${by}, at the gate`,
    factors,
    async enter({ id }, browser) {
      const headers = { cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ") };
      const visit = readVisit(new Request(env.APP_ORIGIN, { headers }));
      const result: SignInResult = await signIn(
        servicesFor(env),
        { who: id, by, factors },
        visit,
        { rememberMe: true },
        Date.now(),
      );
      for (const cookie of result.cookies) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        browser.cookies.set(name, value);
      }
      return { isSignedIn: await browser.isSignedIn(), methods: result.kind === "step" ? result.methods : null };
    },
  };
}

/** Every way into an account. A new one gets a row here, and meets every state below. */
const ROWS: Record<SignInMethod, WayIn> = {
  password: {
    way: "a password",
    factors: 1,
    async enter({ email }, browser) {
      const [, body] = await answerOf(browser.logIn(email));
      const secondFactor = body.secondFactor as { methods: string[] } | undefined;
      return { isSignedIn: await browser.isSignedIn(), methods: secondFactor?.methods ?? null };
    },
  },
  mail: {
    way: "a link by mail",
    factors: 1,
    async enter({ id, email }, browser) {
      // An address that nobody proved would lose its factor.
      await runSql("update users set is_verified = 1 where id = ?", id);
      await browser.post("/api/auth/mail-link", { email });
      const token = await vi.waitFor(async () => {
        const text = (await mailsTo(email)).map((mail) => mail.text).join();
        expect(text).toMatch(/sign-in-link#/);
        return /sign-in-link#([0-9a-f]+)/.exec(text)?.[1] ?? "";
      });
      const [, body] = await answerOf(browser.post("/api/auth/mail-link/use", { token, rememberMe: true }));
      const secondFactor = body.secondFactor as { methods: string[] } | undefined;
      return { isSignedIn: await browser.isSignedIn(), methods: secondFactor?.methods ?? null };
    },
  },
  provider: throughGate("provider", 1),
  passkey: {
    way: "a passkey",
    factors: 2,
    async enter({ id }, browser) {
      const authenticator = await Authenticator.create();
      await authenticator.saveFor(id);
      const options = await browser.post("/api/auth/passkey/options", { purpose: "login" });
      const credential = await authenticator.assert(await options.json());
      const [, body] = await answerOf(browser.post("/api/auth/passkey/login", { credential }));
      const secondFactor = body.secondFactor as { methods: string[] } | undefined;
      return { isSignedIn: await browser.isSignedIn(), methods: secondFactor?.methods ?? null };
    },
  },
  recovery: throughGate("recovery", 2),
};
const WAYS_IN = Object.values(ROWS);

interface State {
  state: string;
  /** Brings the account into it. */
  prepare(person: Person): Promise<void>;
  /** Whether the browser of the sign-up comes back; otherwise a new one. */
  onKnownDevice: boolean;
  /** Whether the second factor is asked for after one factor. */
  asks: boolean;
}

const setFactor = (id: string) =>
  runSql("insert into second_factors (user_id, secret, confirmed_at) values (?, 'sealed', 1)", id);
const trust = (id: string, until: number) =>
  runSql("update devices set trusted_until = ? where user_id = ?", until, id);

const STATES: State[] = [
  { state: "no factor", prepare: async () => {}, onKnownDevice: false, asks: false },
  {
    state: "a factor that was never confirmed",
    prepare: ({ id }) => runSql("insert into second_factors (user_id, secret) values (?, 'sealed')", id),
    onKnownDevice: true,
    asks: false,
  },
  { state: "a factor, on a new device", prepare: ({ id }) => setFactor(id), onKnownDevice: false, asks: true },
  {
    state: "a factor, on a known device that is not trusted",
    prepare: ({ id }) => setFactor(id),
    onKnownDevice: true,
    asks: true,
  },
  {
    state: "a factor, on a trusted device",
    async prepare({ id }) {
      await setFactor(id);
      await trust(id, Date.now() + 60_000);
    },
    onKnownDevice: true,
    asks: false,
  },
  {
    state: "a factor, on a device whose trust has run out",
    async prepare({ id }) {
      await setFactor(id);
      await trust(id, Date.now() - 1);
    },
    onKnownDevice: true,
    asks: true,
  },
  {
    state: "a factor, on a new device while another one is trusted",
    async prepare({ id }) {
      await setFactor(id);
      await trust(id, Date.now() + 60_000);
    },
    onKnownDevice: false,
    asks: true,
  },
];

const PAIRS = WAYS_IN.flatMap((way) => STATES.map((state) => ({ ...way, ...state })));

describe("the gate", () => {
  it.each(PAIRS)("lets $way in with $state as its factors allow", async (row) => {
    const person = await signUpInBrowser();
    await row.prepare(person);
    const browser = row.onKnownDevice ? person.browser : new Browser();
    for (const name of browser.cookies.keys()) if (name.includes("session_token")) browser.cookies.delete(name);
    const isAsked = row.asks && row.factors === 1;
    expect(await row.enter(person, browser)).toEqual({ isSignedIn: !isAsked, methods: isAsked ? ["code"] : null });
  });

  it.each(WAYS_IN)("lets $way into no account that is being deleted", async ({ enter }) => {
    const person = await signUpInBrowser();
    await runSql("update users set deleted_at = 1 where id = ?", person.id);
    const browser = new Browser();
    await enter(person, browser).catch(() => null);
    expect(await browser.isSignedIn()).toBe(false);
  });

  it("names what the second factor can be, and keeps the step for five minutes", async () => {
    const { id, email } = await signUpInBrowser();
    await setFactor(id);
    await runSql(
      `insert into passkeys (id, user_id, credential_id, public_key, algorithm, transports, aaguid, name, created_at)
       values (?, ?, ?, '', -7, '[]', '', 'a key', 0)`,
      crypto.randomUUID(),
      id,
      crypto.randomUUID(),
    );
    await runSql("insert into recovery_codes (id, user_id, code_hash) values (?, ?, 'a')", crypto.randomUUID(), id);
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
    expect(step).toMatchObject({ kind: "second-factor", attempts: 0, data: '{"by":"password","rememberMe":false}' });
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

  /** Runs `change` before the statement that makes the session. */
  function changedMeanwhile(change: () => Promise<void>): Env {
    const DB = interceptQueries(env.DB, async (queries, go) => {
      if (queries.some(({ text }) => text.startsWith('insert into "sessions"'))) await change();
      return go();
    });
    return { ...env, DB };
  }

  it.each([
    ["the password is replaced", "update accounts set password = 'another' where user_id = ?"],
    ["the password is taken away", "update accounts set password = null where user_id = ?"],
    ["the account is deleted", "update users set deleted_at = 1 where id = ?"],
  ])("a sign-in during which %s leaves no session", async (_what, change) => {
    const { id, email } = await signUpInBrowser();
    await runSql("delete from sessions where user_id = ?", id);
    const browser = new Browser(changedMeanwhile(() => runSql(change, id)));
    expect(await answerOf(browser.logIn(email))).toMatchObject([401, { code: "INVALID_CREDENTIALS" }]);
    expect(await rowOf("select count(*) as n from sessions where user_id = ?", id)).toEqual({ n: 0 });
  });

  it("a person whose password was taken away is refused with the same words", async () => {
    const { id, email } = await signUpInBrowser();
    await runSql("update accounts set password = null where user_id = ?", id);
    const refused = await answerOf(new Browser().logIn(email));
    expect(refused).toEqual(await answerOf(new Browser().logIn(`nobody-${email}`, PASSWORD)));
    expect(refused).toMatchObject([401, { code: "INVALID_CREDENTIALS" }]);
  });

  it("waits for the database four times", async () => {
    const { email } = await signUpInBrowser();
    // A younger account gets no mail, so nothing runs behind the answer.
    await runSql("update users set created_at = ? where email = ?", Date.now(), email);
    const rounds: string[] = [];
    const DB = interceptQueries(env.DB, (queries, go) => {
      rounds.push(queries.map(({ text }) => text.slice(0, 40)).join(" + "));
      return go();
    });
    expect((await new Browser({ ...env, DB }).logIn(email)).status).toBe(200);
    expect(rounds).toHaveLength(4);
  });
});
