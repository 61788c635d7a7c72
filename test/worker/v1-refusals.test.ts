// @module-tag long
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { KeyScope } from "#domain/api-keys.ts";
import type { V1Call } from "#domain/v1/call.ts";
import { DESCRIBED_CALLS } from "#domain/v1/calls.ts";
import { createAccountFixture, type AccountFixture } from "../support/account-fixture.ts";
import { rowsOf } from "../support/account-rows.ts";
import { headersWith, makeKeysWithout, makeRefusedKeys, type RefusedKey } from "../support/key-refusals.ts";
import { requestFor } from "../support/routes.ts";
import { makeKey } from "../support/v1.ts";
import { workerWith } from "../support/worker-with-env.ts";
import { answerOf, Client, putOnPlan, signUp } from "../support/worker.ts";

/** Each call that needs a key, with the name of its route. */
const KEYED = Object.entries(DESCRIBED_CALLS).flatMap(([name, row]) => {
  const call: V1Call = row;
  const path = call.path.replaceAll(/\{(\w+)\}/g, ":$1");
  const route = `${call.method} ${call.isTop ? "" : "/api/v1"}${path}`;
  return call.scope === null ? [] : [{ name, call, route }];
});

let fixture: AccountFixture;
let refused: RefusedKey[];
let without: Map<KeyScope, string>;
let foreignKey: string;
let browserKey: string;

beforeAll(async () => {
  fixture = await createAccountFixture();
  const { owner } = fixture;
  await putOnPlan(owner.email, "professional");
  [refused, without] = [await makeRefusedKeys(owner), await makeKeysWithout(owner)];
  foreignKey = (await makeKey(await signUp())).key;
  browserKey = (await makeKey(owner, { browserUse: true })).key;
});

/** Sends what the owner would send, to what is the owner's. */
function send(route: string, headers: Record<string, string> = {}, by = new Client()): Promise<Response> {
  const { path, init } = requestFor(route, fixture);
  const own = Object.fromEntries(new Headers(init.headers));
  return by.fetch(path, { ...init, headers: { ...own, accept: "application/json", ...headers } });
}

async function codeOf(response: Promise<Response>): Promise<[number, unknown]> {
  const [status, { code }] = await answerOf(response);
  return [status, code];
}

describe.each(KEYED)("$name", ({ call, route }) => {
  it("is refused without a key, also with the session of its owner [KEY-3]", async () => {
    const missing = [401, "KEY_MISSING"];
    expect(await codeOf(send(route))).toEqual(missing);
    const response = await send(route, {}, fixture.owner);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    expect(response.headers.get("set-cookie")).toBeNull();
    expect(await codeOf(Promise.resolve(response))).toEqual(missing);
  });

  it("is refused with a key that does not work, and changes nothing [KEY-3]", async () => {
    const before = await rowsOf(fixture);
    for (const { why, key, status, code, send: sendWith } of refused) {
      for (const headers of headersWith(key)) {
        const answered = await codeOf(send(route, headers, new Client("", sendWith)));
        expect([why, ...answered]).toEqual([why, status, code]);
      }
    }
    expect(await rowsOf(fixture)).toEqual(before);
  });

  it("is refused with every scope but its own [KEY-4]", async () => {
    if (call.scope === null || call.scope === "any") return;
    const [headers = {}] = headersWith(without.get(call.scope) ?? "");
    expect(await answerOf(send(route, headers))).toEqual([
      403,
      {
        code: "KEY_SCOPE",
        message: `This API key may not do that: it lacks ${call.scope}.`,
        scope: call.scope,
      },
    ]);
  });

  it("is refused from a page, unless the key is for pages [KEY-6]", async () => {
    const origin = { origin: "https://page.example" };
    const [kept = {}] = headersWith(foreignKey);
    // The calls at the top of the site are for programs alone.
    const forPrograms = call.isTop ? "CROSS_SITE" : "KEY_IN_BROWSER";
    expect(await codeOf(send(route, { ...origin, ...kept }))).toEqual([403, forPrograms]);
    const [shown = {}] = headersWith(browserKey);
    const response = await send(route, { ...origin, ...shown });
    const isRefused = response.status === 403 && /KEY_IN_BROWSER|CROSS_SITE/.test(await response.text());
    expect(isRefused).toBe(call.isTop === true);
  });

  it("is refused above its key's calls a minute [KEY-8]", async () => {
    const limited = workerWith({ ...env, RATE_LIMITS: "on" });
    const { key } = await makeKey(await signUp(), { limits: { callsPerMinute: 1 } });
    const [headers = {}] = headersWith(key);
    const first = await send(route, headers, new Client("", limited));
    expect(first.status).not.toBe(429);
    const second = await send(route, headers, new Client("", limited));
    expect(Number(second.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await codeOf(Promise.resolve(second))).toEqual([429, "RATE_LIMITED"]);
  });

  it("knows nothing of the owner with another person's key [KEY-5]", async () => {
    const [headers = {}] = headersWith(foreignKey);
    const response = await send(route, headers);
    // A socket is refused before its upload is looked for.
    if (call.path.includes("{id}")) expect(response.status).toBe(route.endsWith("/socket") ? 426 : 404);
    const text = await response.text();
    for (const secret of [fixture.owner.email, fixture.owner.id, fixture.fileId, fixture.filename]) {
      expect(text.includes(secret)).toBe(false);
    }
  });
});
