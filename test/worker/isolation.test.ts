import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { Call } from "#domain/calls/call.ts";
import { CALLS } from "#domain/calls/calls.ts";
import { PROVEN_CALLS } from "#domain/calls/proven.ts";
import * as build from "#build/server/index.js";
import { listPagePatterns } from "#worker/load-context/remix-handler.ts";
import { ACCESS } from "../support/access.ts";
import { createAccountFixture, type AccountFixture } from "../support/account-fixture.ts";
import { rowsOf } from "../support/account-rows.ts";
import type { Route } from "../support/route.ts";
import { dataPath, listRoutes, PAGES, requestFor, ROUTES } from "../support/routes.ts";
import { apiWith } from "../support/stripe.ts";
import { runSql, Client, logInAdmin, signUp } from "../support/worker.ts";

const PASSWORD = "a good password";

let fixture: AccountFixture;
let strangers: Stranger[];

interface Stranger {
  name: string;
  client: Client;
  isMember: boolean;
}

beforeAll(async () => {
  fixture = await createAccountFixture();
  strangers = await createStrangers();
});

/** Clients that must not see or change the owner's data. */
async function createStrangers(): Promise<Stranger[]> {
  const [other, unverified, former] = [await signUp(), await signUp(), await signUp()];
  await runSql("update users set is_verified = 0 where id = ?", unverified.id);
  await runSql("update users set is_admin = 1 where id in (?, 'somebody else')", former.id);
  const demoted = await logInAdmin(former.email, PASSWORD);
  await runSql("update users set is_admin = 0 where id = ?", former.id);
  return [
    { name: "a visitor", client: new Client(), isMember: false },
    { name: "another user", client: other, isMember: true },
    { name: "an unverified user", client: unverified, isMember: true },
    // Has a user session and a former admin session.
    { name: "a demoted administrator", client: new Client(`${demoted.cookie}; ${former.cookie}`), isMember: true },
  ];
}

/** What others must not read. Everyone with the link may see the download id and the filename. */
function secretsOf({ owner, upload, ...ids }: AccountFixture, isByLink: boolean): string[] {
  const always = [
    owner.id,
    owner.email,
    owner.cookie.split("=")[1] ?? "",
    ids.sessionId,
    ids.deviceId,
    ids.passkeyId,
    ids.chunkedId,
    upload.uploadId,
    ids.keyId,
    ids.requestId,
    ids.receivedId,
    ids.startedTransfer.fileId,
    ids.webhookId,
    ids.deliveryId,
    ids.recipientId,
  ];
  const traces = [ids.messageId, ids.reportId, ids.pageId, ids.fileId, ids.transfer.fileId];
  const links = [ids.downloadId, ids.transfer.downloadId, ids.startedTransfer.downloadId];
  return [...always, ...traces, ...(isByLink ? [] : [...links, ids.filename])];
}

function expectedOf({ who, others = 200 }: Route, { isMember }: Stranger): number {
  if (who === "administrator") return 403;
  return who === "anybody" || isMember ? others : 401;
}

/** @param sent what the caller sent, and may get back */
async function expectNoSecrets(response: Response, isByLink: boolean, what: string, sent = ""): Promise<void> {
  const received = `${JSON.stringify([...response.headers])}${await response.text()}`;
  for (const secret of secretsOf(fixture, isByLink).filter((secret) => !sent.includes(secret))) {
    expect(received.includes(secret), `${what} reveals ${secret}`).toBe(false);
  }
}

describe("a user's data", () => {
  it("is checked for every API route and every page [TRF-11]", () => {
    expect(Object.keys(ROUTES).sort()).toEqual(listRoutes().sort());
    expect(Object.keys(PAGES).sort()).toEqual(listPagePatterns(build.routes).sort());
  });

  it("is open to nobody else in a table of calls", () => {
    const words = Object.entries<Call>({ ...CALLS, ...PROVEN_CALLS }).map(([name, { who, isConfirmed }]) => [
      name,
      isConfirmed ? `confirmed ${who}` : who,
    ]);
    expect(Object.fromEntries(words)).toEqual(
      Object.fromEntries(Object.entries(ACCESS).map(([name, [who]]) => [name, who])),
    );
  });

  it.each(Object.entries(ROUTES))("is not accessible to others: %s [DASH-23]", async (key, route) => {
    const before = await rowsOf(fixture);
    expect(before.length).toBeGreaterThan(8);
    const isByLink = key.includes("/download/") || key.includes("/links/");
    for (const stranger of strangers) {
      const { path, init } = requestFor(key, fixture);
      const response = await stranger.client.fetch(path, init);
      const what = `${key}, ${stranger.name}`;
      expect([what, response.status]).toEqual([what, expectedOf(route, stranger)]);
      await expectNoSecrets(response, isByLink, what);
    }
    const after = new Set(await rowsOf(fixture));
    expect(before.filter((row) => !after.has(row))).toEqual([]);
    if (key !== "POST /api/files/download/:downloadId/report") expect(after.size).toBe(before.length);
    if (/logout|everywhere/.test(key)) strangers = await createStrangers();
  });

  // A local copy alone has the mailbox, and shows everybody's mail in it.
  it.each(Object.entries(PAGES).filter(([pattern]) => pattern !== "/dev/mailbox"))(
    "is not accessible to others on the page %s or its loader",
    { tags: "long" },
    async (pattern, who) => {
      const before = await rowsOf(fixture);
      const isByLink = pattern.includes(":downloadId");
      const path = pattern.replace(":downloadId", fixture.downloadId);
      const query = `?tab=files&user=${fixture.owner.id}&q=${fixture.fileId}`;
      for (const stranger of strangers) {
        const isForbidden = who === "administrator" || (who === "member" && !stranger.isMember);
        for (const address of [path, path.toUpperCase(), dataPath(path)]) {
          for (const search of ["", query]) {
            const response = await stranger.client.fetch(`${address}${search}`, { redirect: "manual" });
            const what = `${address}${search}, ${stranger.name}`;
            if (isForbidden && address === path) expect([302, 401, 403], what).toContain(response.status);
            expect(response.status, what).toBeLessThan(500);
            await expectNoSecrets(response, isByLink, what, search);
          }
        }
      }
      expect((await rowsOf(fixture)).sort()).toEqual(before.sort());
    },
  );

  it(
    "is accessible to the owner or an administrator through each route [DASH-23]",
    { tags: "long", timeout: 120_000 },
    async () => {
      const root = await logInAdmin();
      let mine = fixture;
      for (const [key, route] of Object.entries(ROUTES)) {
        // Replaces what the last call deleted.
        if (/^(DELETE|PUT)|logout|everywhere|cancel/.test(key)) mine = await createAccountFixture();
        const { path, init } = requestFor(key, mine);
        const search = path.endsWith("?q=") ? mine.fileId : "";
        const client = route.who === "administrator" ? root : mine.owner;
        const response = await client.fetch(`${path}${search}`, init);
        expect([key, response.status]).toEqual([key, route.own ?? 200]);
        await response.arrayBuffer();
        if (/^DELETE|logout|everywhere/.test(key)) mine = await createAccountFixture();
      }
    },
  );

  it("is not accessible with an unverified address if verification is required", async () => {
    const strict = new Client("", apiWith({ ...env, EMAIL_VERIFICATION: "required" }));
    const credentials = { email: `new-${crypto.randomUUID()}@example.com`, password: PASSWORD };
    expect((await strict.post("/api/auth/register", credentials)).status).toBe(201);
    expect(strict.cookie).toBe("");
    expect((await strict.post("/api/auth/login", credentials)).status).toBe(403);
    expect((await strict.fetch("/api/files")).status).toBe(401);
  });
});
