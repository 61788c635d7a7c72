import { createHmac } from "node:crypto";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import type { PlanId } from "#domain/plans.ts";
import { DAY_MS } from "#domain/units.ts";
import { register } from "#worker/accounts/accounts.ts";
import { verifyEmail } from "#worker/accounts/mailed-links.ts";
import { readVisit } from "#worker/accounts/visit.ts";
import { removeDeletedAccounts } from "#worker/admin/remove-account.ts";
import { openDatabase } from "#worker/db/client.ts";
import { servicesFor } from "#worker/services.ts";
import { Browser } from "../support/browser.ts";
import { connectFeed } from "../support/feed.ts";
import { interceptQueries } from "../support/query-interceptor.ts";
import { workerWith } from "../support/worker-with-env.ts";
import { runSql, Client, mailedToken, putOnPlan, rowOf, signUp } from "../support/worker.ts";

const PASSWORD = "a good password";
const VISIT = readVisit(new Request(env.APP_ORIGIN));

async function isSignedIn(client: Client): Promise<boolean> {
  return (await (await client.fetch("/api/auth/me")).json()) !== null;
}

async function logIn(email: string, password = PASSWORD): Promise<Client> {
  const client = new Client();
  const response = await client.post("/api/auth/login", { email, password });
  if (!response.ok) throw new Error(`login answered ${response.status}`);
  return client;
}

describe("registering", () => {
  it("registration ignores unknown fields such as isAdmin and planType [API-7, VAL-28]", async () => {
    const client = new Client();
    const email = "sly@example.com";
    const body = {
      email,
      password: PASSWORD,
      isAdmin: true,
      planType: "ultimate",
      isVerified: true,
      emailVerified: true,
    };
    expect((await client.post("/api/auth/register", body)).status).toBe(201);
    const row = await env.DB.prepare("select is_admin, plan_type, is_verified from users where email = ?")
      .bind(email)
      .first();
    expect(row).toEqual({ is_admin: 0, plan_type: "free", is_verified: 0 });
  });

  it("registration answers 'Email already registered' for a taken address in any letter case", async () => {
    const { email } = await signUp();
    const response = await new Client().post("/api/auth/register", { email: email.toUpperCase(), password: PASSWORD });
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({ message: "Email already registered", code: "EMAIL_TAKEN" });
  });

  it("only one of several parallel registrations gets the address", async () => {
    const body = { email: "twice@example.com", password: PASSWORD };
    const answers = await Promise.all([1, 2, 3].map(() => new Client().post("/api/auth/register", body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  it("passwords are not stored in plain text", async () => {
    await signUp();
    const { results } = await env.DB.prepare("select password from accounts").all<{ password: string }>();
    for (const { password } of results) expect(password).not.toContain(PASSWORD);
  });
});

/** A client of a Worker that records its queries. */
function recordingClient(cookie = ""): { client: Client; queries: string[] } {
  const queries: string[] = [];
  const DB = interceptQueries(env.DB, (statements, go) => {
    queries.push(...statements.map(({ text }) => text));
    return go();
  });
  return { client: new Client(cookie, workerWith({ ...env, DB })), queries };
}

describe("the current user", () => {
  it("visitors get 200 and null without a database query [API-3]", async () => {
    const [sessionCookie = ""] = (await signUp()).cookie.split("=");
    expect(sessionCookie).toMatch(/session_token$/);
    const unsigned = `${sessionCookie}=made-up.${"A".repeat(43)}%3D`;
    for (const cookie of ["", "theme=dark", `${sessionCookie}=`, unsigned]) {
      const { client, queries } = recordingClient(cookie);
      const response = await client.fetch("/api/auth/me");
      expect([cookie, response.status, await response.json(), queries]).toEqual([cookie, 200, null, []]);
    }
  });

  it.each<PlanId>(["free", "professional", "ultimate"])(
    "a user of the plan %s has it as planType [ENT-19]",
    async (plan) => {
      const person = await signUp();
      await putOnPlan(person.email, plan);
      expect(await (await person.fetch("/api/auth/me")).json()).toMatchObject({ planType: plan });
    },
  );

  it("a logged-in user is read with one query [API-3]", async () => {
    const person = await signUp();
    const { client, queries } = recordingClient(person.cookie);
    const response = await client.fetch("/api/auth/me");
    expect([response.status, await response.json()]).toEqual([
      200,
      { id: person.id, email: person.email, isVerified: false, planType: "free" },
    ]);
    expect(queries).toHaveLength(1);
  });
});

describe("a session", () => {
  it("a new user is logged in, can log out and log in again [API-6, AUTH-14, AUTH-17]", async () => {
    const person = await signUp();
    expect(await (await person.fetch("/api/auth/me")).json()).toMatchObject({ email: person.email, planType: "free" });

    expect((await person.post("/api/auth/logout", {})).status).toBe(200);
    expect(await (await person.fetch("/api/auth/me")).json()).toBeNull();

    const login = await person.post("/api/auth/login", { email: person.email, password: PASSWORD });
    expect(login.status).toBe(200);
    expect(login.headers.get("set-cookie")).toMatch(/HttpOnly; SameSite=Lax/);
    expect(await (await person.fetch("/api/auth/me")).json()).toMatchObject({ email: person.email });
  });

  it("the session ends when the browser closes, unless 'remember me' was checked [AUTH-4]", async () => {
    const { email } = await signUp();
    const cookieOf = async (rememberMe: boolean) => {
      const response = await new Client().post("/api/auth/login", { email, password: PASSWORD, rememberMe });
      return response.headers.getSetCookie().find((cookie) => cookie.includes("session_token=")) ?? "";
    };
    expect(await cookieOf(true)).toMatch(/Max-Age=\d{5,}/);
    expect(await cookieOf(false)).toMatch(/session_token=/);
    expect(await cookieOf(false)).not.toMatch(/Max-Age|Expires/);
  });

  it("a session cookie does not work after logout [API-9]", async () => {
    const person = await signUp();
    const stolen = new Client(person.cookie);
    await person.post("/api/auth/logout", {});
    expect(await isSignedIn(stolen)).toBe(false);
  });

  it("a password reset ends the sessions on all devices [AUTH-21]", async () => {
    const person = await signUp();
    const other = await logIn(person.email);
    await new Client().post("/api/auth/reset-password", { email: person.email });
    await expect.poll(() => mailedToken(person.email)).not.toBe("");
    const token = await mailedToken(person.email);
    const answer = await new Client().post("/api/auth/reset-password", { newPassword: "another one", token });
    expect(answer.status).toBe(200);
    expect(await isSignedIn(person)).toBe(false);
    expect(await isSignedIn(other)).toBe(false);
    expect(await isSignedIn(await logIn(person.email, "another one"))).toBe(true);

    const again = await new Client().post("/api/auth/reset-password", { newPassword: "a third one", token });
    expect(again.status).toBe(400);
    expect(await again.json()).toMatchObject({ code: "TOKEN_INVALID" });
  });

  it("a password change ends all other sessions and keeps this one", async () => {
    const person = await signUp();
    const other = await logIn(person.email);
    const wrong = await person.post("/api/auth/change-password", {
      currentPassword: "not this",
      newPassword: "new one",
    });
    expect(wrong.status).toBe(403);
    const right = await person.post("/api/auth/change-password", { currentPassword: PASSWORD, newPassword: "new one" });
    expect(right.status).toBe(200);
    expect(await isSignedIn(other)).toBe(false);
    expect(await isSignedIn(person)).toBe(true);
  });

  it("a session can be ended from another device, but only by its owner", async () => {
    const person = await signUp();
    const other = await logIn(person.email);
    const sessions = await (await person.fetch("/api/auth/sessions")).json<{ id: string; isCurrent: boolean }[]>();
    expect(sessions.map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
    const path = `/api/auth/sessions/${sessions[1]?.id ?? ""}`;
    expect((await (await signUp()).fetch(path, { method: "DELETE" })).status).toBe(404);
    expect(await isSignedIn(other)).toBe(true);
    expect((await person.fetch(path, { method: "DELETE" })).status).toBe(200);
    expect(await isSignedIn(other)).toBe(false);
    expect(await isSignedIn(person)).toBe(true);
  });

  it("an old session lists and ends all others, however many there are", async () => {
    const person = await signUp();
    await runSql("update sessions set created_at = created_at - ? where user_id = ?", 6 * DAY_MS, person.id);
    const tokens = Array.from({ length: 150 }, () => crypto.randomUUID());
    await runSql(
      `insert into sessions (id, user_id, token, expires_at, created_at, updated_at)
       select value, ?, value, ?, 0, 0 from json_each(?)`,
      person.id,
      Date.now() + DAY_MS,
      JSON.stringify(tokens),
    );
    const list = async () => (await person.fetch("/api/auth/sessions")).json<{ isCurrent: boolean }[]>();
    expect(await list()).toHaveLength(151);
    const ended = await person.fetch(`/api/auth/sessions/${tokens[0] ?? ""}`, { method: "DELETE" });
    expect([ended.status, (await list()).length]).toEqual([200, 150]);
    expect((await person.fetch("/api/auth/sessions", { method: "DELETE" })).status).toBe(200);
    expect(await list()).toMatchObject([{ isCurrent: true }]);
  });

  describe("that is used a day after it began", () => {
    const age = (id: string) => runSql("update sessions set expires_at = expires_at - ? where user_id = ?", DAY_MS, id);
    const endOf = async (id: string) =>
      (await rowOf<{ at: number }>("select max(expires_at) as at from sessions where user_id = ?", id)).at;

    it("is renewed with its cookie, once a day", async () => {
      const person = await signUp();
      await age(person.id);
      const end = await endOf(person.id);
      const socket = await connectFeed(person);
      expect([socket.status, await endOf(person.id)]).toEqual([101, end]);
      const answer = await person.fetch("/api/auth/me");
      expect(answer.headers.getSetCookie()).toEqual([
        expect.stringMatching(/session_token=.*; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/),
      ]);
      await expect.poll(() => endOf(person.id)).toBeGreaterThanOrEqual(end + DAY_MS);
      const again = await person.fetch("/api/auth/me");
      expect([await again.json(), again.headers.getSetCookie()]).toMatchObject([{ id: person.id }, []]);
    });

    it("is not renewed if it ends with the browser", async () => {
      const { email, id } = await signUp();
      const browser = new Browser();
      await browser.post("/api/auth/login", { email, password: PASSWORD, rememberMe: false });
      await runSql("update sessions set expires_at = expires_at - ? where user_id = ?", DAY_MS / 2, id);
      const end = await endOf(id);
      const answer = await browser.fetch("/api/auth/me");
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(await endOf(id)).toBe(end);
    });

    it("does not bring its cookie back over that of a new password", async () => {
      const { email, id } = await signUp();
      const browser = new Browser();
      await browser.post("/api/auth/login", { email, password: PASSWORD, rememberMe: true });
      await age(id);
      const passwords = { currentPassword: PASSWORD, newPassword: "another good password" };
      expect((await browser.post("/api/auth/change-password", passwords)).status).toBe(200);
      expect(await browser.isSignedIn()).toBe(true);
    });
  });

  it("the cookie is a token, a dot, and HMAC-SHA-256 of the token in base64", async () => {
    const { id } = await signUp();
    const token = "aBcDeFgHiJkLmNoPqRsTuVwXyZ012345";
    await runSql(
      "insert into sessions (id, user_id, token, expires_at, created_at, updated_at) values (?1, ?2, ?1, ?3, 0, 0)",
      token,
      id,
      Date.now() + DAY_MS,
    );
    const signature = createHmac("sha256", env.BETTER_AUTH_SECRET).update(token).digest("base64");
    const value = encodeURIComponent(`${token}.${signature}`);
    expect(await isSignedIn(new Client(`mayfly.session_token=${value}`))).toBe(true);
  });

  it("deleting an account ends its sessions and links immediately and deletes its files and rows [AUTH-23, DEC-15, KEEP-7]", async () => {
    const person = await signUp();
    const other = await logIn(person.email);
    const { uploadId, downloadId } = await person.startUpload(3);
    await env.BUCKET.put(`incoming/${uploadId}`, "abc");
    expect((await person.complete(downloadId)).status).toBe(200);
    const unfinished = await person.startUpload(5);

    expect((await person.fetch("/api/auth/account", deletion("not this"))).status).toBe(403);
    expect((await person.fetch("/api/auth/account", deletion(PASSWORD))).status).toBe(202);
    expect(await isSignedIn(person)).toBe(false);
    expect(await isSignedIn(other)).toBe(false);
    const dead = await new Client().fetch(`/api/files/download/${downloadId}`);
    expect([404, 410]).toContain(dead.status);
    await expect
      .poll(() =>
        env.DB.prepare("select count(*) as n from files where id in (?, ?)")
          .bind(uploadId, unfinished.uploadId)
          .first("n"),
      )
      .toBe(0);
    expect(await env.BUCKET.head(`files/${uploadId}`)).toBeNull();
    expect((await new Client().post("/api/auth/login", { email: person.email, password: PASSWORD })).status).toBe(401);
    expect((await new Client().post("/api/auth/register", { email: person.email, password: PASSWORD })).status).toBe(
      201,
    );
  });

  it("a large account is deleted in several cron runs, each with a limited number of calls [KEEP-7]", async () => {
    // What other tests have deleted is not counted here.
    await vi.waitFor(async () => {
      await removeDeletedAccounts(servicesFor(env), Date.now());
      expect(await rowOf("select count(*) as n from users where deleted_at is not null")).toEqual({ n: 0 });
    });
    const person = await signUp();
    await runSql(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 12000)
       insert into files (id, user_id, filename, original_filename, size, mime_type, s3_key, download_id, status,
         expiration, created_at, uploaded_at, expires_at, etag, reserved_period_start, abandon_at)
       select 'bite' || i, ?, 'f', 'f', 1, 'text/plain', 'files/bite' || i, 'bite' || i, 'ready', '1d', 0, 0, ?, 'e', 0, 0
       from n`,
      person.id,
      Date.now() + DAY_MS,
    );
    for (const i of [1, 12_000]) await env.BUCKET.put(`files/bite${i}`, "x");
    await runSql("update users set deleted_at = ? where id = ?", Date.now(), person.id);
    let calls = 0;
    const counted = interceptQueries(env.DB, (_, go) => {
      calls += 1;
      return go();
    });
    const services = { ...servicesFor(env), db: openDatabase(counted) };
    expect(await removeDeletedAccounts(services, Date.now())).toBe(0);
    expect(calls).toBeLessThanOrEqual(30);
    expect(await removeDeletedAccounts(services, Date.now())).toBe(1);
    expect(await rowOf("select count(*) as n from files where user_id = ?", person.id)).toEqual({ n: 0 });
    const { objects } = await env.BUCKET.list({ prefix: "files/bite" });
    expect(objects).toEqual([]);
  });
});

function deletion(password: string): RequestInit {
  return { method: "DELETE", headers: { "content-type": "application/json" }, body: JSON.stringify({ password }) };
}

describe("account discovery", () => {
  it("a password reset answers the same for a known and an unknown address [API-8, AUTH-22]", async () => {
    const { email } = await signUp();
    const known = await new Client().post("/api/auth/reset-password", { email });
    const unknown = await new Client().post("/api/auth/reset-password", { email: "nobody@example.com" });
    expect(unknown.status).toBe(known.status);
    expect(await unknown.text()).toBe(await known.text());
  });

  it("a login answers the same for a wrong password and an unknown address [AUTH-22]", async () => {
    const { email } = await signUp();
    const wrong = await new Client().post("/api/auth/login", { email, password: "not this one" });
    const unknown = await new Client().post("/api/auth/login", {
      email: "nobody@example.com",
      password: "not this one",
    });
    expect(wrong.status).toBe(401);
    expect(unknown.status).toBe(401);
    expect(await unknown.text()).toBe(await wrong.text());
  });

  it.each(["sign-up/email", "sign-in/email", "sign-out", "update-user", "list-sessions", "get-session", "token"])(
    "better-auth's own route %s is not reachable [DEC-12]",
    async (route) => {
      for (const method of ["GET", "POST"]) {
        const init = method === "POST" ? { body: "{}", headers: { "content-type": "application/json" } } : {};
        expect((await new Client().fetch(`/api/auth/${route}`, { method, ...init })).status).toBe(404);
      }
    },
  );
});

describe("with required verification", () => {
  const services = servicesFor({ ...env, EMAIL_VERIFICATION: "required" });

  it("only the newest token confirms an address, only once, and nobody is logged in before [AUTH-16, DEC-13]", async () => {
    const email = "careful@example.com";
    const change = await register(services, { email, password: PASSWORD }, VISIT, Date.now());
    expect(change).toEqual({ user: null, cookies: [] });
    await expect.poll(() => mailedToken(email)).not.toBe("");
    const first = await mailedToken(email);
    // Tokens contain the time in seconds, so a new one differs only in the next second.
    await expect
      .poll(async () => {
        await services.auth.api.sendVerificationEmail({ body: { email } });
        return await mailedToken(email);
      })
      .not.toBe(first);
    const newest = await mailedToken(email);

    await expect(verifyEmail(services, first, Date.now())).rejects.toMatchObject({ code: "TOKEN_INVALID" });
    await expect(verifyEmail(services, newest, Date.now() + 2 * 3600_000)).rejects.toMatchObject({
      code: "TOKEN_INVALID",
    });
    expect(await verifyEmail(services, newest, Date.now())).toEqual({ email });
    await expect(verifyEmail(services, newest, Date.now())).rejects.toMatchObject({ code: "TOKEN_INVALID" });
    expect(await env.DB.prepare("select is_verified from users where email = ?").bind(email).first("is_verified")).toBe(
      1,
    );
  });

  it("registration still answers 'Email already registered' [DEC-14]", async () => {
    const email = "again@example.com";
    await register(services, { email, password: PASSWORD }, VISIT, Date.now());
    const again = register(services, { email, password: PASSWORD }, VISIT, Date.now());
    await expect(again).rejects.toMatchObject({ code: "EMAIL_TAKEN" });
  });
});
