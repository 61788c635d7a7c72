import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import * as build from "#build/server/index.js";
import { listPagePatterns } from "#worker/pages/page-patterns.ts";
import { createOwned, type Owned } from "../support/owned.ts";
import { dataPath, listRoutes, PAGES, requestFor, ROUTES, type Route } from "../support/routes.ts";
import { answering } from "../support/stripe.ts";
import { change, Client, logInAdmin, signUp } from "../support/worker.ts";

const PASSWORD = "a good password";

let owned: Owned;
let strangers: Stranger[];

interface Stranger {
  name: string;
  client: Client;
  isMember: boolean;
}

beforeAll(async () => {
  owned = await createOwned();
  strangers = await createStrangers();
});

/** Whoever may not see or change what somebody else owns. */
async function createStrangers(): Promise<Stranger[]> {
  const [other, unverified, former] = [await signUp(), await signUp(), await signUp()];
  await change("update users set is_verified = 0 where id = ?", unverified.id);
  await change("update users set is_admin = 1 where id in (?, 'somebody else')", former.id);
  const demoted = await logInAdmin(former.email, PASSWORD);
  await change("update users set is_admin = 0 where id = ?", former.id);
  return [
    { name: "a visitor", client: new Client(), isMember: false },
    { name: "another user", client: other, isMember: true },
    { name: "an unverified user", client: unverified, isMember: true },
    // With both of their sessions.
    { name: "a demoted administrator", client: new Client(`${demoted.cookie}; ${former.cookie}`), isMember: true },
  ];
}

/** Every row that says anything of the owner's, by what it says. */
async function rowsOf({ owner, ...ids }: Owned): Promise<string[]> {
  const marks = [owner.id, owner.email, ids.fileId, ids.chunkedId, ids.upload.uploadId, ids.pageId, ids.messageId];
  const { results: tables } = await env.DB.prepare(
    "select name from sqlite_master where type = 'table' and name not like '\\_%' escape '\\' and name not like 'sqlite%'",
  ).all<{ name: string }>();
  const all = await env.DB.batch<object>(tables.map(({ name }) => env.DB.prepare(`select * from ${name}`)));
  // Whoever has the link may download.
  const rows = all.flatMap(({ results }, index) =>
    results.map((row) => `${tables[index]?.name ?? ""} ${JSON.stringify({ ...row, download_count: 0 })}`),
  );
  return rows.filter((row) => marks.some((mark) => row.includes(mark)));
}

/** What nobody else is to read. What a link shows, its file's name among it, whoever has it may. */
function secretsOf({ owner, upload, ...ids }: Owned, isByLink: boolean): string[] {
  const always = [
    owner.id,
    owner.email,
    owner.cookie.split("=")[1] ?? "",
    ids.sessionId,
    ids.chunkedId,
    upload.uploadId,
  ];
  const traces = [ids.messageId, ids.reportId, ids.pageId, ids.fileId];
  return [...always, ...traces, ...(isByLink ? [] : [ids.downloadId, ids.filename])];
}

function expectedOf({ who, others = 200 }: Route, { isMember }: Stranger): number {
  if (who === "administrator") return 403;
  return who === "anybody" || isMember ? others : 401;
}

/** @param known what the caller has said, and may be told back */
async function expectNothingTold(response: Response, isByLink: boolean, what: string, known = ""): Promise<void> {
  const told = `${JSON.stringify([...response.headers])}${await response.text()}`;
  for (const secret of secretsOf(owned, isByLink).filter((secret) => !known.includes(secret))) {
    expect(told.includes(secret), `${what} tells ${secret}`).toBe(false);
  }
}

describe("what somebody owns", () => {
  it("has a row for every call and every page that there is", () => {
    expect(Object.keys(ROUTES).sort()).toEqual(listRoutes().sort());
    expect(Object.keys(PAGES).sort()).toEqual(listPagePatterns(build.routes).sort());
  });

  it.each(Object.entries(ROUTES))("is nobody else's at %s", async (key, route) => {
    const before = await rowsOf(owned);
    expect(before.length).toBeGreaterThan(8);
    const isByLink = key.includes("/download/");
    for (const stranger of strangers) {
      const { path, init } = requestFor(key, owned);
      const response = await stranger.client.fetch(path, init);
      const what = `${key}, ${stranger.name}`;
      // Reading an administrator's way is told apart in the lists, too: each asks by itself.
      expect([what, response.status]).toEqual([what, expectedOf(route, stranger)]);
      await expectNothingTold(response, isByLink, what);
    }
    const after = new Set(await rowsOf(owned));
    expect(before.filter((row) => !after.has(row))).toEqual([]);
    if (key !== "POST /api/files/download/:downloadId/report") expect(after.size).toBe(before.length);
    if (key.endsWith("/logout")) strangers = await createStrangers();
  });

  it.each(Object.entries(PAGES))(
    "is nobody else's on the page %s, nor at its loader's address",
    async (pattern, who) => {
      const before = await rowsOf(owned);
      const isByLink = pattern.includes(":downloadId");
      const path = pattern.replace(":downloadId", owned.downloadId);
      const query = `?tab=files&user=${owned.owner.id}&q=${owned.fileId}`;
      for (const stranger of strangers) {
        const isRefused = who === "administrator" || (who === "member" && !stranger.isMember);
        for (const address of [path, path.toUpperCase(), dataPath(path)]) {
          for (const search of ["", query]) {
            const response = await stranger.client.fetch(`${address}${search}`, { redirect: "manual" });
            const what = `${address}${search}, ${stranger.name}`;
            if (isRefused && address === path) expect([302, 401, 403], what).toContain(response.status);
            expect(response.status, what).toBeLessThan(500);
            await expectNothingTold(response, isByLink, what, search);
          }
        }
      }
      expect((await rowsOf(owned)).sort()).toEqual(before.sort());
    },
  );

  // It makes what an owner has anew a dozen times, with a password to hash each.
  it("is theirs: each of these calls is answered to them, or to an administrator", async () => {
    const root = await logInAdmin();
    let mine = owned;
    for (const [key, route] of Object.entries(ROUTES)) {
      // What the last call took away is there again.
      if (/^(DELETE|PUT)|logout|cancel/.test(key)) mine = await createOwned();
      const { path, init } = requestFor(key, mine);
      const search = path.endsWith("?q=") ? mine.fileId : "";
      const client = route.who === "administrator" ? root : mine.owner;
      const response = await client.fetch(`${path}${search}`, init);
      expect([key, response.status]).toEqual([key, route.own ?? 200]);
      await response.arrayBuffer();
      if (/^DELETE|logout/.test(key)) mine = await createOwned();
    }
  }, 120_000);

  it("is not opened by an address that nobody has confirmed, where that is required", async () => {
    const strict = new Client("", answering({ ...env, EMAIL_VERIFICATION: "required" }));
    const credentials = { email: `new-${crypto.randomUUID()}@example.com`, password: PASSWORD };
    expect((await strict.post("/api/auth/register", credentials)).status).toBe(201);
    expect(strict.cookie).toBe("");
    expect((await strict.post("/api/auth/login", credentials)).status).toBe(403);
    expect((await strict.fetch("/api/files")).status).toBe(401);
  });
});
