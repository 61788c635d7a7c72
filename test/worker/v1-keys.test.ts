import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { keyOf } from "#domain/api-keys.ts";
import type { V1Call } from "#domain/v1/call.ts";
import { CALL_NAMES, V1_CALLS } from "#domain/v1/calls.ts";
import { requestFor, ROUTES } from "../support/routes.ts";
import { createAccountFixture, type AccountFixture } from "../support/account-fixture.ts";
import { makeKey, Program, programOf } from "../support/v1.ts";
import { V1_ROUTES } from "../support/v1-routes.ts";
import { workerWith } from "../support/worker-with-env.ts";
import { answerOf, Client, putOnPlan, rowOf, runSql, signUp } from "../support/worker.ts";

type Person = Awaited<ReturnType<typeof signUp>>;

const MISSING = { code: "KEY_MISSING", message: "Send an API key: Authorization: Bearer mayfly_…" };
const INVALID = {
  code: "KEY_INVALID",
  message: "This API key is unknown, has run out or was revoked. Make another one on your account page.",
};

let person: Person;
let fixture: AccountFixture;

beforeAll(async () => {
  [person, fixture] = [await signUp(), await createAccountFixture()];
  await putOnPlan(person.email, "professional");
});

/** The table's rows that need a key, with their requests. */
const KEYED = CALL_NAMES.flatMap((name) => {
  const call: V1Call = V1_CALLS[name];
  const key = `${call.method} /api/v1${call.path.replaceAll(/\{(\w+)\}/g, ":$1")}`;
  return call.scope === null ? [] : [{ name, call, key }];
});

function send(by: Client, key: string, headers: Record<string, string> = {}): Promise<Response> {
  const { path, init } = requestFor(key, fixture);
  const own = init.headers as Record<string, string> | undefined;
  return by.fetch(path.replace("/api/v1", by instanceof Program ? "" : "/api/v1"), {
    ...init,
    headers: { ...own, ...headers },
  });
}

describe.each(KEYED)("$name", ({ call, key }) => {
  it("is refused without a key, also with the session of its owner", async () => {
    expect(await answerOf(send(new Client(), key))).toEqual([401, MISSING]);
    const response = await send(fixture.owner, key);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    expect(response.headers.get("set-cookie")).toBeNull();
    expect(await answerOf(response)).toEqual([401, MISSING]);
  });

  it("is refused with another person's key, where it names something of the owner", async () => {
    const { status } = await send(await programOf(await signUp()), key);
    const isNamed = call.path.includes("{");
    expect([key, isNamed ? status : 404]).toEqual([key, key.endsWith("/socket") ? 426 : 404]);
  });

  it("is refused with a key that lacks its scope", async () => {
    if (call.scope === "any" || call.scope === null) return;
    const others = ["upload", "files:read", "files:write"].filter((scope) => scope !== call.scope);
    const scope = call.scope;
    expect(await answerOf(send(await programOf(await signUp(), { scopes: others }), key))).toEqual([
      403,
      { code: "KEY_SCOPE", message: `This API key may not do that: it lacks ${scope}.`, scope },
    ]);
  });
});

describe("a key", () => {
  it("may come as Bearer or as the password of Basic", async () => {
    const { key } = await makeKey(person);
    for (const authorization of [
      `Bearer ${key}`,
      `bearer ${key}`,
      `Basic ${btoa(`:${key}`)}`,
      `Basic ${btoa(`ada:${key}`)}`,
    ]) {
      const response = await new Client().fetch("/api/v1/me", { headers: { authorization } });
      expect([authorization, response.status]).toEqual([authorization, 200]);
    }
  });

  it.each([
    ["another form", "secret"],
    ["a wrong checksum", `mayfly_${"0".repeat(32)}2wjyrJ`],
    ["a key that nobody made", keyOf("0".repeat(32))],
  ])("is refused: %s", async (_, key) => {
    expect(await answerOf(new Program(key).fetch("/me"))).toEqual([401, INVALID]);
    expect(
      await answerOf(new Client().fetch("/api/v1/me", { headers: { authorization: `Basic ${btoa(`:${key}`)}` } })),
    ).toEqual([401, INVALID]);
  });

  it.each(["Digest username=x", "Bearer", "Basic", ""])("is missing in %j", async (authorization) => {
    const headers: Record<string, string> = authorization === "" ? {} : { authorization };
    expect(await answerOf(new Client().fetch("/api/v1/me", { headers }))).toEqual([401, MISSING]);
  });

  it("ends at the moment that it is revoked, runs out, or its account goes", async () => {
    const owner = await signUp();
    const revoked = await programOf(owner);
    const runOut = await programOf(owner);
    const living = await programOf(owner);
    expect((await revoked.fetch("/me")).status).toBe(200);
    await owner.delete(`/api/keys/${revoked.id}`);
    expect(await answerOf(revoked.fetch("/me"))).toEqual([401, INVALID]);
    await runSql("update api_keys set expires_at = ? where id = ?", Date.now(), runOut.id);
    expect(await answerOf(runOut.fetch("/me"))).toEqual([401, INVALID]);
    expect((await living.fetch("/me")).status).toBe(200);
    await runSql("update users set deleted_at = 1 where id = ?", owner.id);
    expect(await answerOf(living.fetch("/me"))).toEqual([401, INVALID]);
  });

  it("of an unconfirmed address is refused where addresses have to be confirmed", async () => {
    const owner = await signUp();
    const { key } = await makeKey(owner);
    await runSql("update users set is_verified = 0 where id = ?", owner.id);
    const strict = new Program(key, workerWith({ ...env, EMAIL_VERIFICATION: "required" }));
    expect(await answerOf(strict.fetch("/me"))).toMatchObject([403, { code: "EMAIL_UNVERIFIED" }]);
    expect((await new Program(key).fetch("/me")).status).toBe(200);
  });

  it("is refused from a web page, unless its owner has allowed that", async () => {
    const headers = { origin: "https://page.example" };
    const kept = await programOf(person);
    expect(await answerOf(kept.fetch("/me", { headers }))).toMatchObject([403, { code: "KEY_IN_BROWSER" }]);
    const shown = await programOf(person, { browserUse: true });
    expect((await shown.fetch("/me", { headers })).status).toBe(200);
    const foreign = { headers: { ...headers, "sec-fetch-site": "cross-site", "content-type": "application/json" } };
    const started = await shown.fetch("/uploads", { ...foreign, method: "POST", body: '{"name":"a.txt","size":1}' });
    expect(started.status).toBe(201);
  });

  it("opens nothing outside /api/v1", async () => {
    const { key } = await makeKey(fixture.owner);
    const headers = { authorization: `Bearer ${key}` };
    const outside = Object.entries(ROUTES).filter(([route, { who }]) => !(route in V1_ROUTES) && who !== "anybody");
    expect(outside.length).toBeGreaterThan(60);
    for (const [route, { who }] of outside) {
      const { status } = await send(new Client(), route, headers);
      expect([route, status]).toEqual([route, who === "administrator" ? 403 : 401]);
    }
  });

  it("says when and from where it was used last, at most every ten minutes", async () => {
    const owner = await signUp();
    const { key, id } = await makeKey(owner);
    const used = () =>
      rowOf<{ at: number | null; address: string | null }>(
        "select last_used_at as at, last_used_address as address from api_keys where id = ?",
        id,
      );
    const call = async (address: string) => {
      const headers = { authorization: `Bearer ${key}`, "cf-connecting-ip": address };
      expect((await workerWith(env)(new Request(new URL("/api/v1/me", env.APP_ORIGIN), { headers }))).status).toBe(200);
    };
    await call("198.51.100.77");
    await vi.waitFor(async () => {
      expect((await used()).address).toBe("198.51.100.0/24");
    });
    await runSql("update api_keys set last_used_at = ? where id = ?", Date.now() - 600_001, id);
    await call("2001:db8:1:2::3");
    await vi.waitFor(async () => {
      expect((await used()).address).toBe("2001:db8:1::/48");
    });
    const before = await used();
    await call("203.0.113.5");
    expect(await used()).toEqual(before);
  });
});

describe("other pages", () => {
  it("may read every answer of v1, and nothing else", async () => {
    const origin = { origin: "https://page.example" };
    const answers = await Promise.all(
      ["/api/v1/me", `/api/v1/links/${fixture.downloadId}`, "/api/v1/nothing"].map((path) =>
        new Client().fetch(path, { headers: origin }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([401, 200, 404]);
    for (const { headers } of answers) {
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("access-control-allow-credentials")).toBeNull();
      expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
      expect(headers.get("access-control-expose-headers")).toContain("Retry-After");
    }
    const outside = await new Client().fetch("/api/files", { headers: origin });
    expect(outside.headers.get("access-control-allow-origin")).toBeNull();
  });

  it("may ask first", async () => {
    const headers = { origin: "https://page.example", "access-control-request-method": "POST" };
    const response = await new Client().fetch("/api/v1/uploads", { method: "OPTIONS", headers });
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-headers")).toContain("Authorization");
    expect(response.headers.get("access-control-allow-methods")).toContain("PATCH");
    const elsewhere = await new Client().fetch("/api/files", { method: "OPTIONS", headers });
    expect(elsewhere.headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("limits", () => {
  const limited = workerWith({ ...env, RATE_LIMITS: "on" });

  it("of a key are its own calls a minute", async () => {
    const { key } = await makeKey(person, { limits: { callsPerMinute: 3 } });
    const program = new Program(key, limited);
    const statuses: number[] = [];
    for (let call = 0; call < 4; call += 1) statuses.push((await program.fetch("/me")).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const other = await makeKey(person);
    expect((await new Program(other.key, limited).fetch("/me")).status).toBe(200);
  });

  it("allow 20 keys a minute from an address that do not work, and then none is looked up", async () => {
    const address = `2001:db8:${crypto.randomUUID().slice(0, 4)}::1`;
    const from = (request: Request) => {
      request.headers.set("cf-connecting-ip", address);
      return limited(request);
    };
    const unknown = (n: number) => keyOf(String(n).padStart(32, "0"));
    const statuses: number[] = [];
    for (let n = 0; n < 22; n += 1) statuses.push((await new Program(unknown(n), from).fetch("/me")).status);
    expect(statuses).toEqual([...Array<number>(20).fill(401), 429, 429]);
    const { key } = await makeKey(person);
    expect((await new Program(key, from).fetch("/me")).status).toBe(429);
    expect((await new Program(key, limited).fetch("/me")).status).toBe(200);
  });
});
