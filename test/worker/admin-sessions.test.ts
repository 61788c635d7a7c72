import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { HOUR_MS, MINUTE_MS } from "#domain/units.ts";
import { createApp } from "#worker/app.ts";
import worker from "#worker/index.ts";
import { apiWith } from "../support/stripe.ts";
import { answerOf, runSql, Client, logInAdmin, rowOf, signUp, stopClockAt } from "../support/worker.ts";

const PASSWORD = "a good password";
const CREDENTIALS = { username: env.ADMIN_USERNAME, password: env.ADMIN_PASSWORD };

async function isAdmin(client: Client): Promise<boolean> {
  const { isAdmin } = await (await client.fetch("/api/admin/auth-check")).json<{ isAdmin: boolean }>();
  const { status } = await client.fetch("/api/admin/users");
  expect(status).toBe(isAdmin ? 200 : 403);
  return isAdmin;
}

/** A user with the administrator role, logged in to the admin area. */
async function promoted() {
  const person = await signUp();
  await runSql("update users set is_admin = 1 where id = ?", person.id);
  return { person, admin: await logInAdmin(person.email, PASSWORD) };
}

describe("logging in to the admin area", () => {
  it("accepts the configured name and password, and sets an HttpOnly, SameSite=Strict cookie [ADM-34, API-34]", async () => {
    const response = await new Client().post("/api/admin/login", CREDENTIALS);
    expect(response.status).toBe(200);
    const [cookie] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^mayfly\.admin=[0-9a-f]{64}; Max-Age=28800; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(await isAdmin(await logInAdmin())).toBe(true);
  });

  it("uses a __Host- cookie over HTTPS", async () => {
    const answer = apiWith({ ...env, APP_ORIGIN: "https://files.example.com" });
    const admin = new Client("", (request) => answer(new Request(request.url.replace("http:", "https:"), request)));
    const [cookie] = (await admin.post("/api/admin/login", CREDENTIALS)).headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-mayfly\.admin=[0-9a-f]{64}; .*; Path=\/; .*; Secure; SameSite=Strict$/);
    expect(await isAdmin(admin)).toBe(true);
  });

  it("rejects wrong and blank names and passwords with a clear message [API-34, VAL-20, VAL-21]", async () => {
    const cases = [
      [{ ...CREDENTIALS, password: "the settings' passwore" }, 401, "Invalid credentials"],
      [{ ...CREDENTIALS, username: "Admin" }, 401, "Invalid credentials"],
      [{ ...CREDENTIALS, username: "nobody@example.com" }, 401, "Invalid credentials"],
      [{ ...CREDENTIALS, username: "  " }, 400, "Username is required"],
      [{ username: "admin" }, 400, "Password is required"],
      [{ ...CREDENTIALS, password: "" }, 400, "Password is required"],
    ] as const;
    for (const [body, status, message] of cases) {
      const client = new Client();
      expect(await answerOf(client.post("/api/admin/login", body))).toEqual([
        status,
        expect.objectContaining({ message }),
      ]);
      expect(client.cookie).toBe("");
    }
  });

  it("rejects every login if no administrator is configured, also with blank credentials [ADM-34]", async () => {
    const bare = apiWith({ ...env, ADMIN_USERNAME: "", ADMIN_PASSWORD: "" });
    for (const body of [CREDENTIALS, { username: "admin", password: "admin" }]) {
      expect((await new Client("", bare).post("/api/admin/login", body)).status).toBe(401);
    }
  });

  it("is limited to five attempts in 15 minutes per IP address [LIM-4]", async () => {
    const limited = createApp();
    const settings = { ...env, RATE_LIMITS: "on" };
    const client = new Client("", (request) => {
      request.headers.set("cf-connecting-ip", "198.51.100.200");
      return limited.fetch(request, settings);
    });
    const statuses: number[] = [];
    for (let call = 0; call < 6; call += 1) {
      statuses.push((await client.post("/api/admin/login", { ...CREDENTIALS, password: "wrong" })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await client.post("/api/admin/login", CREDENTIALS)).headers.get("retry-after")).toMatch(/^\d+$/);
  });
});

describe("an admin session", () => {
  it("is stored only as a hash, and the configured password not at all", async () => {
    const admin = await logInAdmin();
    const { results } = await env.DB.prepare("select * from admin_sessions").all();
    const kept = JSON.stringify(results);
    expect(kept).not.toContain(admin.cookie.split("=")[1]);
    expect(kept).not.toContain(env.ADMIN_PASSWORD);
  });

  it("ends on logout, also for copies of the cookie [API-35, API-36]", async () => {
    const admin = await logInAdmin();
    const thief = new Client(admin.cookie);
    const response = await admin.post("/api/admin/logout", {});
    expect(response.headers.getSetCookie()[0]).toMatch(/^mayfly\.admin=; Max-Age=0;/);
    expect(await isAdmin(thief)).toBe(false);
    expect((await new Client().post("/api/admin/logout", {})).status).toBe(200);
  });

  it("ends after 30 minutes without use, and after eight hours in any case [DEC-16]", async () => {
    const start = Date.now();
    const [idle, busy] = await Promise.all([logInAdmin(), logInAdmin()]);
    for (let at = start + 25 * MINUTE_MS; at < start + 8 * HOUR_MS; at += 25 * MINUTE_MS) {
      stopClockAt(at);
      expect(await isAdmin(busy)).toBe(true);
    }
    expect(await isAdmin(idle)).toBe(false);
    stopClockAt(start + 8 * HOUR_MS + 1000);
    expect(await isAdmin(busy)).toBe(false);
  });

  it("ends when the configured password changes", async () => {
    const admin = await logInAdmin();
    expect(await isAdmin(new Client(admin.cookie, apiWith({ ...env, ADMIN_PASSWORD: "another password" })))).toBe(
      false,
    );
    expect(await isAdmin(admin)).toBe(true);
  });

  it("is separate from user sessions, also for the same person [API-36, DEC-16]", async () => {
    const { person, admin } = await promoted();
    expect(await isAdmin(person)).toBe(false);
    expect(await (await admin.fetch("/api/auth/me")).json()).toBeNull();
    const token = person.cookie.split("=")[1] ?? "";
    expect(await isAdmin(new Client(`mayfly.admin=${token}`))).toBe(false);
  });
});

describe("a user with the administrator role", () => {
  it("logs in with email address and password", async () => {
    const { person, admin } = await promoted();
    expect(await isAdmin(admin)).toBe(true);
    expect(
      (await new Client().post("/api/admin/login", { username: person.email, password: "wrong one" })).status,
    ).toBe(401);
    expect(await isAdmin(await logInAdmin(person.email.toUpperCase(), PASSWORD))).toBe(true);
  });

  it("can log in, but a user without the role cannot", async () => {
    const { email } = await signUp();
    expect((await new Client().post("/api/admin/login", { username: email, password: PASSWORD })).status).toBe(401);
  });

  it("needs a verified address if verification is required", async () => {
    const { person } = await promoted();
    const strict = new Client("", apiWith({ ...env, EMAIL_VERIFICATION: "required" }));
    const answer = await answerOf(strict.post("/api/admin/login", { username: person.email, password: PASSWORD }));
    expect(answer).toEqual([403, expect.objectContaining({ code: "EMAIL_UNVERIFIED" })]);
  });

  it("loses access with the next request after a demotion, a password change or the account's deletion", async () => {
    const root = await logInAdmin();
    const [, demoted, changed, leaving] = await Promise.all([promoted(), promoted(), promoted(), promoted()]);
    expect((await root.put(`/api/admin/user/admin/${demoted.person.id}`, { isAdmin: false })).status).toBe(200);
    expect(await isAdmin(demoted.admin)).toBe(false);
    // Getting the role back does not restore the earlier session.
    await root.put(`/api/admin/user/admin/${demoted.person.id}`, { isAdmin: true });
    expect(await isAdmin(demoted.admin)).toBe(false);
    const passwords = { currentPassword: PASSWORD, newPassword: "another good one" };
    expect((await changed.person.post("/api/auth/change-password", passwords)).status).toBe(200);
    expect(await isAdmin(changed.admin)).toBe(false);
    const gone = await leaving.person.fetch("/api/auth/account", {
      method: "DELETE",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ password: PASSWORD }),
    });
    expect(gone.status).toBe(202);
    expect(await isAdmin(leaving.admin)).toBe(false);
  });

  it("cannot be demoted or deleted as the last one, even by two concurrent requests [DEC-17]", async () => {
    await runSql("update users set is_admin = 0");
    const root = await logInAdmin();
    const [one, two] = [await promoted(), await promoted()];
    const statuses = await Promise.all([
      one.admin.put(`/api/admin/user/admin/${two.person.id}`, { isAdmin: false }),
      two.admin.put(`/api/admin/user/admin/${one.person.id}`, { isAdmin: false }),
      root.put(`/api/admin/user/admin/${one.person.id}`, { isAdmin: false }),
      root.delete(`/api/admin/users/${two.person.id}`),
    ]).then((responses) => responses.map(({ status }) => status));
    expect(await rowOf("select count(*) as n from users where is_admin = 1")).toEqual({ n: 1 });
    expect(statuses).toContain(409);
    const { id } = await rowOf<{ id: string }>("select id from users where is_admin = 1");
    for (const refused of [
      root.put(`/api/admin/user/admin/${id}`, { isAdmin: false }),
      root.delete(`/api/admin/users/${id}`),
    ]) {
      expect(await answerOf(refused)).toEqual([409, expect.objectContaining({ code: "LAST_ADMIN" })]);
    }
    expect(await rowOf("select is_admin as isAdmin, deleted_at as deletedAt from users where id = ?", id)).toEqual({
      isAdmin: 1,
      deletedAt: null,
    });
  });
});

/** Every route that only administrators may call. */
function guardedRoutes(): { method: string; path: string }[] {
  const open = ["login", "second-factor", "passkey/options", "passkey/login", "logout", "auth-check"].map(
    (call) => `/api/admin/${call}`,
  );
  return createApp().routes.filter(
    ({ method, path }) => method !== "ALL" && /^\/api\/(admin|seo|content)(\/|$)/.test(path) && !open.includes(path),
  );
}

/** Spellings of a path that a router and a path-based check may interpret differently. */
function spellingsOf(path: string): string[] {
  const encoded = path.replace("/api/", "/%61pi/");
  const inner = path.replace(
    /\/(\w)(\w*)$/,
    (_, first: string, rest: string) => `/%${first.charCodeAt(0).toString(16)}${rest}`,
  );
  return [
    path,
    `${path}/`,
    path.replace("/api/", "/api//"),
    path.replace("/api/", "//api/"),
    path.toUpperCase(),
    encoded,
    inner,
    `${path}?_data=routes`,
    `${path}.data`,
    path.replace("/api/", "/api/x/../"),
    path.replace("/api/", "/api/./"),
  ];
}

describe("every route of the admin area", () => {
  it(
    "rejects visitors, users and former administrators, in every spelling of its path [ADM-33, API-47, API-51, ROLE-6]",
    { tags: "long" },
    async () => {
      await promoted();
      const former = await promoted();
      const token = former.admin.cookie;
      await runSql("update users set is_admin = 0 where id = ?", former.person.id);
      const strangers = [new Client(), await signUp(), former.person, new Client(token), new Client("mayfly.admin=00")];
      const routes = guardedRoutes();
      expect(routes.length).toBeGreaterThanOrEqual(27);
      const before = await rowOf("select count(*) as n from admin_audit_logs");
      for (const { method, path } of routes) {
        const concrete = path.replace(":id", former.person.id);
        for (const spelling of spellingsOf(concrete)) {
          for (const stranger of spelling === concrete ? strangers : [new Client(token)]) {
            const body =
              method === "GET" || method === "DELETE"
                ? {}
                : { body: "{}", headers: { "content-type": "application/json" } };
            const { status } = await stranger.fetch(
              new URL(spelling.replace(/^\/\//, "http://x//"), env.APP_ORIGIN).pathname.replace(/^\/\//, "/"),
              { method, ...body },
            );
            const expected = spelling === concrete ? [403] : [403, 404, 405];
            expect(expected, `${method} ${spelling}`).toContain(status);
          }
        }
      }
      expect(await rowOf("select count(*) as n from admin_audit_logs")).toEqual(before);
    },
  );

  it("rejects requests from other sites, also with an administrator's cookie", async () => {
    const admin = await logInAdmin();
    const response = await admin.fetch("/api/admin/users/x", {
      method: "DELETE",
      headers: { origin: "https://evil.example" },
    });
    expect(await answerOf(response)).toEqual([403, expect.objectContaining({ code: "CROSS_SITE" })]);
  });

  it("is protected in page loaders and their .data URLs too [DEC-16]", async () => {
    const user = await signUp();
    for (const client of [new Client(), user]) {
      for (const path of ["/admin/dashboard", "/admin/dashboard/", "/admin/dashboard.data", "/ADMIN/dashboard"]) {
        const request = new Request(new URL(path, env.APP_ORIGIN), {
          headers: { cookie: client.cookie },
          redirect: "manual",
        });
        const response = await worker.fetch(
          request as Request<unknown, IncomingRequestCfProperties>,
          env,
          {} as ExecutionContext,
        );
        expect(await response.text()).not.toContain(user.email);
      }
    }
  });
});
