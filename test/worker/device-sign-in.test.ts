import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isKey } from "#domain/api-keys.ts";
import type { ListedKey } from "#domain/wire.ts";
import { PENDING, TOO_SOON, REFUSED, EXPIRED, UNKNOWN_CODE, ENDED_CODE } from "../support/device-answers.ts";
import { codePage, SigningIn, type StartedDevice } from "../support/device.ts";
import { subjectsTo } from "../support/mails.ts";
import { makeKey, Program } from "../support/v1.ts";
import { clientFrom } from "../support/worker-with-env.ts";
import { answerOf, Client, rowOf, sha256Of, signUp, stopClockAt } from "../support/worker.ts";

type Person = Awaited<ReturnType<typeof signUp>>;

const NOON = Date.UTC(2027, 0, 1, 12);
const SECOND_MS = 1000;
const MINUTE_MS = 60_000;

let person: Person;

beforeEach(async () => {
  stopClockAt(NOON);
  person = await signUp();
});

afterEach(() => {
  vi.useRealTimers();
});

const { look, approve, refuse } = codePage(() => person);
const keysOf = async (by: Client) => (await by.fetch("/api/keys")).json<ListedKey[]>();

describe("a program that signs in", () => {
  it("gets two codes for ten minutes, of which only digests are stored [DVC-1]", async () => {
    const client = clientFrom("198.51.100.77", env);
    const [status, started] = await answerOf(client.post("/api/v1/device", { device_name: "  ada-laptop " }));
    expect([status, started]).toEqual([
      200,
      {
        device_code: expect.stringMatching(/^[0-9A-Za-z]{43}$/) as string,
        user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/) as string,
        verification_uri: `${env.APP_ORIGIN}/device`,
        verification_uri_complete: `${env.APP_ORIGIN}/device`,
        expires_in: 600,
        interval: 5,
      },
    ]);
    const { device_code, user_code } = started as unknown as StartedDevice;
    const digestOf = (text: string) => sha256Of(new TextEncoder().encode(text));
    expect(await rowOf("select * from device_codes where name = 'ada-laptop' order by rowid desc limit 1")).toEqual({
      device_hash: await digestOf(device_code),
      user_hash: await digestOf(user_code.replace("-", "")),
      name: "ada-laptop",
      address: "198.51.100.0/24",
      state: "waiting",
      user_id: null,
      created_at: NOON,
      expires_at: NOON + 10 * MINUTE_MS,
      next_poll_at: NOON,
    });
  });

  it("waits for its owner, and gets one key of 90 days with a mail [DVC-2]", async () => {
    const program = await SigningIn.begin();
    expect(await answerOf(program.poll())).toEqual(PENDING);
    expect(await look(program.userCode)).toEqual([
      200,
      { name: "ada-laptop", address: "unknown/0", askedAt: "2027-01-01T12:00:00.000Z" },
    ]);
    expect(await approve(program.userCode)).toEqual([200, { message: "The program is signed in." }]);
    expect(await keysOf(person)).toEqual([]);
    stopClockAt(NOON + 5 * SECOND_MS);
    const [status, token] = await answerOf(program.poll());
    expect([status, token]).toEqual([
      200,
      {
        access_token: expect.any(String) as string,
        token_type: "Bearer",
        expires_in: 7_776_000,
        scope: "upload files:read files:write requests",
      },
    ]);
    const key = String(token.access_token);
    expect(isKey(key)).toBe(true);
    expect(await keysOf(person)).toMatchObject([
      {
        name: "ada-laptop",
        lastFour: key.slice(-4),
        scopes: ["upload", "files:read", "files:write", "requests"],
        expiresAt: "2027-04-01T12:00:05.000Z",
        source: "cli",
        browserUse: false,
      },
    ]);
    expect(await new Program(key).answer("/me")).toMatchObject({ email: person.email, key: { name: "ada-laptop" } });
    expect(await subjectsTo(person.email)).toEqual(["A new API key for Mayfly"]);
    stopClockAt(NOON + 10 * SECOND_MS);
    expect(await answerOf(program.poll())).toEqual(EXPIRED);
    expect(await look(program.userCode)).toEqual(UNKNOWN_CODE);
  });

  it("is told to slow down until five seconds have passed [DVC-3]", async () => {
    const program = await SigningIn.begin();
    expect(await answerOf(program.poll())).toEqual(PENDING);
    await approve(program.userCode);
    stopClockAt(NOON + 5 * SECOND_MS - 1);
    expect(await answerOf(program.poll())).toEqual(TOO_SOON);
    expect(await keysOf(person)).toEqual([]);
    stopClockAt(NOON + 5 * SECOND_MS);
    expect((await program.poll()).status).toBe(200);
  });

  it("gets nothing once it was refused, and its code cannot be approved any more [DVC-3]", async () => {
    const program = await SigningIn.begin();
    expect(await refuse(program.userCode)).toEqual([200, { message: "The program was refused." }]);
    expect(await answerOf(program.poll())).toEqual(REFUSED);
    for (const call of [look, approve, refuse]) expect(await call(program.userCode)).toEqual(ENDED_CODE);
    expect(await keysOf(person)).toEqual([]);
  });

  it("has ten minutes, to the millisecond [DVC-1]", async () => {
    const [early, late] = [await SigningIn.begin(), await SigningIn.begin()];
    stopClockAt(NOON + 10 * MINUTE_MS - 1);
    expect((await approve(early.userCode))[0]).toBe(200);
    expect((await look(late.userCode))[0]).toBe(200);
    stopClockAt(NOON + 10 * MINUTE_MS);
    expect((await person.post("/api/auth/confirm", { password: "a good password" })).status).toBe(200);
    for (const call of [look, approve, refuse]) expect(await call(late.userCode)).toEqual(ENDED_CODE);
    for (const program of [early, late]) expect(await answerOf(program.poll())).toEqual(EXPIRED);
    expect(await keysOf(person)).toEqual([]);
  });

  it("gets no key for a code that nobody gave out, or with another grant", async () => {
    const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
    const ask = (body: object) => answerOf(new Client().post("/api/v1/device/token", body));
    expect(await ask({ grant_type, device_code: "A".repeat(43) })).toEqual(EXPIRED);
    expect(await ask({ grant_type: "password", device_code: "A".repeat(43) })).toMatchObject([
      400,
      { code: "BAD_REQUEST", field: "grant_type" },
    ]);
    expect(await ask({ grant_type })).toMatchObject([400, { code: "BAD_REQUEST", field: "device_code" }]);
  });

  it.each(["", " ", "x".repeat(61), "two\nlines", "\u202egnp.exe", "zero\u200bwidth", "\ud800", 5, null])(
    "cannot be called %j",
    async (device_name) => {
      expect(await answerOf(new Client().post("/api/v1/device", { device_name }))).toMatchObject([
        400,
        { code: "BAD_REQUEST", field: "device_name", message: "device_name must have 1 to 60 visible characters." },
      ]);
    },
  );

  it("is no web page: a page of another site would begin from its visitor's own address", async () => {
    for (const [name, value] of [
      ["origin", "https://page.example"],
      ["sec-fetch-site", "same-origin"],
    ] as const) {
      const response = await new Client().fetch("/api/v1/device", {
        method: "POST",
        headers: { [name]: value, "content-type": "application/json" },
        body: JSON.stringify({ device_name: "a page" }),
      });
      expect(await answerOf(response)).toMatchObject([403, { code: "CROSS_SITE" }]);
    }
  });
});

describe("at the same time", () => {
  it("two people approve: it is the program of one of them [DVC-2]", async () => {
    const other = await signUp();
    const program = await SigningIn.begin();
    const answers = await Promise.all([approve(program.userCode), approve(program.userCode, other)]);
    expect(answers.map(([status]) => status).sort()).toEqual([200, 410]);
    expect((await program.poll()).status).toBe(200);
    const [winner, loser] = answers[0]?.[0] === 200 ? [person, other] : [other, person];
    expect(await keysOf(winner)).toMatchObject([{ name: "ada-laptop", source: "cli" }]);
    expect(await keysOf(loser)).toEqual([]);
  });

  it("one approves and one refuses: the first counts", async () => {
    const other = await signUp();
    const program = await SigningIn.begin();
    const answers = await Promise.all([approve(program.userCode), refuse(program.userCode, other)]);
    expect(answers.map(([status]) => status).sort()).toEqual([200, 410]);
    expect((await program.poll()).status).toBe(answers[0]?.[0] === 200 ? 200 : 400);
  });

  it("several questions: one gets the key, the others are told to wait or that it is used [DVC-2]", async () => {
    const program = await SigningIn.begin();
    await approve(program.userCode);
    const answers = await Promise.all(Array.from({ length: 4 }, () => answerOf(program.poll())));
    expect(answers.map(([status]) => status).sort()).toEqual([200, 400, 400, 400]);
    for (const [status, { error }] of answers) {
      if (status === 400) expect(["slow_down", "expired_token"]).toContain(error);
    }
    expect(await keysOf(person)).toHaveLength(1);
  });
});

describe("the plan's number of keys", () => {
  const FULL = [
    403,
    {
      code: "PLAN_LIMIT_EXCEEDED",
      planLimitExceeded: true,
      message: "You have 5 API keys, the maximum of your plan. Revoke one first.",
    },
  ];

  it("holds on the page, which may try again [DVC-4]", async () => {
    const keys = await Promise.all(Array.from({ length: 5 }, () => makeKey(person)));
    const program = await SigningIn.begin();
    expect(await approve(program.userCode)).toEqual(FULL);
    await person.delete(`/api/keys/${keys[0]?.id ?? ""}`);
    expect((await approve(program.userCode))[0]).toBe(200);
    expect((await program.poll()).status).toBe(200);
  });

  it("holds when another key was made meanwhile: the program is told, and its code is used up [DVC-4]", async () => {
    const program = await SigningIn.begin();
    await Promise.all(Array.from({ length: 4 }, () => makeKey(person)));
    await approve(program.userCode);
    await makeKey(person);
    expect(await answerOf(program.poll())).toEqual(FULL);
    stopClockAt(NOON + 5 * SECOND_MS);
    expect(await answerOf(program.poll())).toEqual(EXPIRED);
    expect(await keysOf(person)).toHaveLength(5);
  });
});

describe("an account that goes", () => {
  it("takes what it has approved with it", async () => {
    const program = await SigningIn.begin();
    await approve(program.userCode);
    const { status } = await person.fetch("/api/auth/account", {
      method: "DELETE",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ password: "a good password" }),
    });
    expect(status).toBe(202);
    expect(await answerOf(program.poll())).toEqual(EXPIRED);
    expect(await rowOf("select count(*) as n from api_keys where user_id = ?", person.id)).toEqual({ n: 0 });
  });
});

describe("a key that signs itself out", () => {
  it("is revoked if it was got by signing in", async () => {
    const program = await SigningIn.begin();
    await approve(program.userCode);
    const [, { access_token: key }] = await answerOf(program.poll());
    const signedIn = new Program(String(key));
    const { id: uploadId } = await signedIn.answer<{ id: string }>("/uploads", "POST", { name: "a.txt", size: 5 });
    expect((await signedIn.fetch("/key", { method: "DELETE" })).status).toBe(204);
    expect((await signedIn.fetch("/me")).status).toBe(401);
    expect(await keysOf(person)).toEqual([]);
    expect(await rowOf("select status from files where id = ?", uploadId)).toEqual({ status: "cancelled" });
  });

  it("is left alone if it was made on the account page, since other programs may use it", async () => {
    const made = await makeKey(person);
    expect(await answerOf(new Program(made.key).fetch("/key", { method: "DELETE" }))).toEqual([
      403,
      { code: "FORBIDDEN", message: "This API key was made on the account page. It can be revoked only there." },
    ]);
    expect(await keysOf(person)).toHaveLength(1);
  });
});
