// @module-tag long
import { beforeAll, describe, expect, it } from "vitest";
import { createAccountFixture, type AccountFixture } from "../support/account-fixture.ts";
import { rowsOf } from "../support/account-rows.ts";
import { headersWith } from "../support/key-refusals.ts";
import { queuedMailsSent } from "../support/mails.ts";
import { dataPath, PAGES, requestFor, ROUTES } from "../support/routes.ts";
import { makeKey } from "../support/v1.ts";
import { V1_ROUTES } from "../support/v1-routes.ts";
import { Client, putOnPlan, runSql } from "../support/worker.ts";

/** The calls outside `/api/v1` that take keys, too. */
const TAKES_KEYS = ["PUT /", "PUT /:name", "POST /"];
const ELSEWHERE = Object.keys(ROUTES).filter((route) => !(route in V1_ROUTES) && !TAKES_KEYS.includes(route));

let fixture: AccountFixture;
/** A key of the owner with every scope, in each header that may carry it. */
let withKey: Record<string, string>[];

beforeAll(async () => {
  fixture = await createAccountFixture();
  await putOnPlan(fixture.owner.email, "professional");
  withKey = headersWith((await makeKey(fixture.owner, { browserUse: true })).key);
  await queuedMailsSent();
  // The page of the local mailbox shows every mail to everybody.
  await runSql("delete from local_mailbox");
});

/** What a program without cookies gets. */
async function answerTo(path: string, init: RequestInit, headers: Record<string, string>) {
  const own = Object.fromEntries(new Headers(init.headers));
  const response = await new Client().fetch(path, { ...init, redirect: "manual", headers: { ...own, ...headers } });
  const { status } = response;
  // A new browser gets a random token, whoever asks.
  const cookie = response.headers.get("set-cookie")?.replace(/=[0-9a-f]{64};/, "=random;");
  return { status, location: response.headers.get("location"), cookie, response };
}

async function expectNothingOfOwner(response: Response, what: string): Promise<void> {
  const text = await response.text();
  for (const secret of [fixture.owner.id, fixture.owner.email, fixture.sessionId, fixture.keyId]) {
    expect(text.includes(secret), `${what} reveals ${secret}`).toBe(false);
  }
}

describe("a key outside /api/v1", () => {
  it("is tried with every call and every page", () => {
    expect(TAKES_KEYS.filter((route) => !(route in ROUTES))).toEqual([]);
    expect(ELSEWHERE.length).toBeGreaterThan(80);
    expect(Object.keys(PAGES).length).toBeGreaterThan(20);
  });

  it.each(ELSEWHERE)("is worth nothing: %s [KEY-7]", async (route) => {
    const { who } = ROUTES[route] ?? {};
    const { path, init } = requestFor(route, fixture);
    const before = await rowsOf(fixture);
    const { response: signedOut, ...expected } = await answerTo(path, init, {});
    await signedOut.body?.cancel();
    if (who === "administrator") expect(expected.status).toBe(403);
    else if (who !== "anybody") expect(expected.status).toBe(401);
    for (const headers of withKey) {
      const { response, ...answered } = await answerTo(path, init, headers);
      expect(answered).toEqual(expected);
      await expectNothingOfOwner(response, route);
    }
    const after = new Set(await rowsOf(fixture));
    expect(before.filter((row) => !after.has(row))).toEqual([]);
    // Anybody may report a file.
    if (!route.endsWith("/report")) expect(after.size).toBe(before.length);
  });

  it.each(Object.keys(PAGES))("opens no page: %s [KEY-7]", async (pattern) => {
    const path = pattern.replace(":downloadId", fixture.downloadId);
    for (const address of [path, dataPath(path)]) {
      const { response: signedOut, ...expected } = await answerTo(address, {}, {});
      await signedOut.body?.cancel();
      for (const headers of withKey) {
        const { response, ...answered } = await answerTo(address, {}, headers);
        expect(answered).toEqual(expected);
        await expectNothingOfOwner(response, address);
      }
    }
  });
});
