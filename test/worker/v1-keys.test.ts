import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { keyOf } from "#domain/api-keys.ts";
import { noteKeyUse } from "#worker/db/api-keys.ts";
import { servicesFor } from "#worker/services.ts";
import { interceptQueries, type Query } from "../support/query-interceptor.ts";
import { makeKey, Program, programOf } from "../support/v1.ts";
import { workerWith } from "../support/worker-with-env.ts";
import { answerOf, Client, putOnPlan, rowOf, runSql, sendFile, signUp, stopClockAt } from "../support/worker.ts";

type Person = Awaited<ReturnType<typeof signUp>>;

const MISSING = { code: "KEY_MISSING", message: "Send an API key: Authorization: Bearer mayfly_…" };
const INVALID = {
  code: "KEY_INVALID",
  message: "This API key is unknown, has run out or was revoked. Make another one on your account page.",
};

let person: Person;

beforeAll(async () => {
  person = await signUp();
  await putOnPlan(person.email, "professional");
});

describe("a key", () => {
  it("may come as Bearer or as the password of Basic [KEY-2]", async () => {
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

  it.each(["Digest username=x", "Bearer", "Basic", `Basic ${btoa(":")}`, ""])(
    "is missing in %j [KEY-2]",
    async (authorization) => {
      const headers: Record<string, string> = authorization === "" ? {} : { authorization };
      expect(await answerOf(new Client().fetch("/api/v1/me", { headers }))).toEqual([401, MISSING]);
    },
  );

  it("ends at the moment that it is revoked, runs out, or its account goes [KEY-14]", async () => {
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

  it("is refused from a web page, unless its owner has allowed that [KEY-6]", async () => {
    const headers = { origin: "https://page.example" };
    const kept = await programOf(person);
    expect(await answerOf(kept.fetch("/me", { headers }))).toMatchObject([403, { code: "KEY_IN_BROWSER" }]);
    const shown = await programOf(person, { browserUse: true });
    expect((await shown.fetch("/me", { headers })).status).toBe(200);
    const foreign = { headers: { ...headers, "sec-fetch-site": "cross-site", "content-type": "application/json" } };
    const started = await shown.fetch("/uploads", { ...foreign, method: "POST", body: '{"name":"a.txt","size":1}' });
    expect(started.status).toBe(201);
  });

  it("says when and from where it was used last, at most every ten minutes [KEY-16]", async () => {
    const { key, id } = await makeKey(await signUp());
    const used = () =>
      rowOf<{ at: number | null; address: string | null }>(
        "select last_used_at as at, last_used_address as address from api_keys where id = ?",
        id,
      );
    const notes: Query[] = [];
    const DB = interceptQueries(env.DB, (queries, proceed) => {
      notes.push(...queries.filter(({ text }) => text.includes('set "last_used_at"')));
      return proceed();
    });
    const call = async (address: string) => {
      const headers = { authorization: `Bearer ${key}`, "cf-connecting-ip": address };
      const request = new Request(new URL("/api/v1/me", env.APP_ORIGIN), { headers });
      expect((await workerWith({ ...env, DB })(request)).status).toBe(200);
    };
    const now = Date.now();
    stopClockAt(now);
    await call("198.51.100.77");
    await vi.waitFor(async () => {
      expect(await used()).toEqual({ at: now, address: "198.51.100.0/24" });
    });
    stopClockAt(now + 599_999);
    await call("203.0.113.5");
    expect(notes.length).toBe(1);
    stopClockAt(now + 600_000);
    await call("2001:db8:1:2::3");
    await vi.waitFor(async () => {
      expect(await used()).toEqual({ at: now + 600_000, address: "2001:db8:1::/48" });
    });
    expect(notes.length).toBe(2);
  });

  it("keeps the note of a call that was quicker [KEY-16]", async () => {
    const { id } = await makeKey(await signUp());
    const note = (address: string, now: number) =>
      noteKeyUse(servicesFor(env).db, id, address, { now, before: now - 600_000 });
    await note("first", 1_000_000);
    await note("second", 1_599_999);
    const address = "select last_used_address as address from api_keys where id = ?";
    expect(await rowOf(address, id)).toEqual({ address: "first" });
    await note("third", 1_600_000);
    expect(await rowOf(address, id)).toEqual({ address: "third" });
  });
});

describe("other pages", () => {
  it("may read every answer of v1 by script, embed none, and read nothing else [PROG-9]", async () => {
    const origin = { origin: "https://page.example" };
    const { downloadId } = await sendFile(person, "hello");
    const answers = await Promise.all(
      ["/api/v1/me", `/api/v1/links/${downloadId}`, "/api/v1/nothing", `/api/v1/links/${downloadId}/files/0`].map(
        (path) => new Client().fetch(path, { headers: origin }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([401, 200, 404, 200]);
    for (const { headers } of answers) {
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("access-control-allow-credentials")).toBeNull();
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
      expect(headers.get("access-control-expose-headers")).toContain("Retry-After");
    }
    const outside = await new Client().fetch("/api/files", { headers: origin });
    expect(outside.headers.get("access-control-allow-origin")).toBeNull();
  });

  it("may ask first [PROG-9]", async () => {
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

  it("of a key are its own calls a minute [KEY-8]", async () => {
    const { key } = await makeKey(person, { limits: { callsPerMinute: 3 } });
    const program = new Program(key, limited);
    const statuses: number[] = [];
    for (let call = 0; call < 4; call += 1) statuses.push((await program.fetch("/me")).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const other = await makeKey(person);
    expect((await new Program(other.key, limited).fetch("/me")).status).toBe(200);
  });

  it("allow 20 keys a minute from an address that do not work, and then none is looked up [KEY-9]", async () => {
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
