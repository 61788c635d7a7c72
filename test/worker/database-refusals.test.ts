import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { faultyEnv, FULL, OVERLOADED, strike, TIMED_OUT, type Fate } from "../support/faults.ts";
import { mailTo } from "../support/mails.ts";
import { newAddress } from "../support/notices.ts";
import { makeKey, Program } from "../support/v1.ts";
import { watchBackground, workerWith } from "../support/worker-with-env.ts";
import { answerOf, Client, contentPath, monthlyUsage, rowOf, runSql, sendFile, signUp } from "../support/worker.ts";

const BUSY = "Too much is going on here at the moment. Please try again in a few seconds.";
const NO_ROOM =
  "There is no room for new entries here at the moment, so this was not done. Files can still be downloaded. Please tell whoever runs this site.";

const isWrite = (query: string) => /^\s*(insert|update|replace)/im.test(query);
const everything = () => true;

beforeEach(() => {
  for (const level of ["warn", "error"] as const) vi.spyOn(console, level).mockImplementation(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Sends requests to a Worker whose database fails so. What runs behind an answer is awaited by `settled`. */
function meeting(database: Fate) {
  const faulty = faultyEnv(env, database, () => null);
  return { send: workerWith(faulty), settled: watchBackground(faulty) };
}

function expectWait(response: Response): void {
  const seconds = Number(response.headers.get("retry-after"));
  expect([seconds >= 5, seconds <= 15]).toEqual([true, true]);
}

describe("an overloaded database", () => {
  it.each([
    ["turned the query away", OVERLOADED],
    ["was reset after a timeout", TIMED_OUT],
  ])("that %s is not asked again while the caller waits, who is told to come back [HOLD-15]", async (_, fault) => {
    const { downloadId } = await sendFile(await signUp(), "hello");
    const { fate, struck } = strike(Infinity, fault, everything);
    const response = await new Client("", meeting(fate).send).fetch(`/api/files/download/${downloadId}`);
    expectWait(response);
    const retryAfterSeconds = Number(response.headers.get("retry-after"));
    expect(await answerOf(response)).toEqual([503, { message: BUSY, code: "DATABASE_BUSY", retryAfterSeconds }]);
    expect(struck).toHaveLength(1);
  });

  it("is told in the reader's language", async () => {
    const { downloadId } = await sendFile(await signUp(), "hello");
    const { fate } = strike(Infinity, OVERLOADED, everything);
    const headers = { "accept-language": "de" };
    const response = await new Client("", meeting(fate).send).fetch(`/api/files/download/${downloadId}`, { headers });
    expect(await response.json()).toMatchObject({
      message: "Hier ist gerade zu viel los. Bitte versuche es in ein paar Sekunden noch einmal.",
    });
  });

  it("turns programs and curl away in the same words", async () => {
    const { key } = await makeKey(await signUp());
    const { fate } = strike(Infinity, OVERLOADED, everything);
    const { send } = meeting(fate);
    const program = await new Program(key, send).fetch("/me");
    expectWait(program);
    expect(await answerOf(program)).toMatchObject([503, { code: "DATABASE_BUSY", message: BUSY }]);
    const curl = await send(
      new Request(new URL("/a.txt", env.APP_ORIGIN), {
        method: "PUT",
        headers: { authorization: `Bearer ${key}`, "content-length": "5" },
        body: "hello",
      }),
    );
    expectWait(curl);
    expect([curl.status, (await curl.text()).split("\n")[0]]).toEqual([503, BUSY]);
  });

  it("answers a link's page, and the data of a page, with 503", async () => {
    const { downloadId } = await sendFile(await signUp(), "hello");
    const { fate } = strike(Infinity, OVERLOADED, (query) => query.includes('"download_id" = ?'));
    const { send } = meeting(fate);
    for (const path of [`/download/${downloadId}`, `/download/${downloadId}.data`]) {
      const response = await new Client("", send).fetch(path);
      expectWait(response);
      expect(response.status).toBe(503);
      if (!path.endsWith(".data")) expect(await response.text()).toContain(BUSY);
    }
  });

  it("reserves nothing for an upload that it turns away", async () => {
    const person = await signUp();
    const { fate, struck } = strike(1, OVERLOADED, (query) => query.startsWith('insert into "files"'));
    const { send } = meeting(fate);
    const body = { filename: "a.txt", fileType: "text/plain", fileSize: 5, expiration: "1d" };
    const start = new Client(person.cookie, send).post("/api/direct-upload/presigned-url", body);
    expect(await answerOf(start)).toMatchObject([503, { code: "DATABASE_BUSY" }]);
    expect(struck).toHaveLength(1);
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 0, transfers: 0 });
    expect(await rowOf("select count(*) as n from files where user_id = ?", person.id)).toEqual({ n: 0 });
  });

  it("is asked again behind an answer, so that nothing is lost [HOLD-15]", async () => {
    const person = await signUp();
    const { fate, struck } = strike(2, OVERLOADED, (query) => isWrite(query) && query.includes("verifications"));
    const { send } = meeting(fate);
    const asked = await new Client("", send).post("/api/auth/reset-password", { email: person.email });
    expect(asked.status).toBe(200);
    expect((await mailTo(person.email)).text).toContain("/reset-password?token=");
    expect(struck).toHaveLength(2);
  });

  it("keeps no half of an account that somebody registers", async () => {
    const credentials = { email: newAddress(), password: "a good password" };
    const ways = strike(1, OVERLOADED, (query) => query.startsWith('insert into "accounts"'));
    const { send, settled } = meeting(ways.fate);
    const refused = new Client("", send).post("/api/auth/register", credentials);
    expect(await answerOf(refused)).toMatchObject([503, { code: "DATABASE_BUSY" }]);
    await settled();
    expect(await rowOf("select count(*) as n from users where email = ?", credentials.email)).toEqual({ n: 0 });
    expect((await new Client().post("/api/auth/register", credentials)).status).toBe(201);
  });

  it("leaves a completion to the sender's next try", async () => {
    const person = await signUp();
    const { uploadId, downloadId } = await person.startUpload(5);
    await env.BUCKET.put(`incoming/${uploadId}`, "hello");
    const { fate, struck } = strike(1, OVERLOADED, (query) => query.includes('update "files" set "status"'));
    const faulty = new Client(person.cookie, meeting(fate).send);
    expect((await faulty.complete(downloadId)).status).toBe(503);
    expect(struck).toHaveLength(1);
    expect((await faulty.complete(downloadId)).status).toBe(200);
    expect(await (await new Client().fetch(contentPath(downloadId))).text()).toBe("hello");
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 5, transfers: 1 });
  });
});

describe("a full database", () => {
  const full = () => meeting(strike(Infinity, FULL, isWrite).fate);

  it("starts no upload, says why, and leaves nothing behind [HOLD-16]", async () => {
    const person = await signUp();
    const { key } = await makeKey(person);
    const { send } = full();
    const body = { filename: "a.txt", fileType: "text/plain", fileSize: 5, expiration: "1d" };
    const start = new Client(person.cookie, send).post("/api/direct-upload/presigned-url", body);
    expect(await answerOf(start)).toEqual([507, { code: "DATABASE_FULL", message: NO_ROOM }]);
    const started = new Program(key, send).fetch("/uploads", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "a.txt", size: 5 }),
    });
    expect(await answerOf(started)).toMatchObject([507, { code: "DATABASE_FULL" }]);
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 0, transfers: 0 });
    expect(await rowOf("select count(*) as n from files where user_id = ?", person.id)).toEqual({ n: 0 });
    await sendFile(person, "hello");
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 5, transfers: 1 });
  });

  it("begins no session, and says why [HOLD-16]", async () => {
    const { email, id } = await signUp();
    const before = await rowOf("select count(*) as n from sessions where user_id = ?", id);
    const credentials = { email, password: "a good password" };
    const response = await new Client("", full().send).post("/api/auth/login", credentials);
    expect(response.headers.getSetCookie().filter((cookie) => cookie.includes("session_token"))).toEqual([]);
    expect(await answerOf(response)).toEqual([507, { code: "DATABASE_FULL", message: NO_ROOM }]);
    expect(await rowOf("select count(*) as n from sessions where user_id = ?", id)).toEqual(before);
    expect((await new Client().post("/api/auth/login", credentials)).status).toBe(200);
  });

  it("registers nobody, and does not call the address taken", async () => {
    const credentials = { email: newAddress(), password: "a good password" };
    const refused = new Client("", full().send).post("/api/auth/register", credentials);
    expect(await answerOf(refused)).toMatchObject([507, { code: "DATABASE_FULL", message: NO_ROOM }]);
    expect((await new Client().post("/api/auth/register", credentials)).status).toBe(201);
  });

  it("deletes no file by half: the link and its bytes stay until the deletion works [HOLD-16]", async () => {
    const person = await signUp();
    const { uploadId, downloadId } = await sendFile(person, "hello");
    const refused = new Client(person.cookie, full().send).delete(`/api/files/${uploadId}`);
    expect(await answerOf(refused)).toEqual([507, { code: "DATABASE_FULL", message: NO_ROOM }]);
    expect(await (await new Client().fetch(contentPath(downloadId))).text()).toBe("hello");
    expect((await person.delete(`/api/files/${uploadId}`)).status).toBe(200);
    expect((await new Client().fetch(contentPath(downloadId))).status).toBe(410);
    expect(await env.BUCKET.head(`files/${uploadId}`)).toBeNull();
  });

  it("goes on with what reads: pages, downloads, and people who are signed in [HOLD-16]", async () => {
    const person = await signUp();
    const { downloadId } = await sendFile(person, "hello");
    // Due to be renewed, which is a write.
    await runSql("update sessions set expires_at = ? where user_id = ?", Date.now() + 60_000, person.id);
    const { send, settled } = full();
    for (const path of [`/download/${downloadId}`, `/api/files/download/${downloadId}`, "/"]) {
      const response = await new Client("", send).fetch(path);
      await response.arrayBuffer();
      expect([path, response.status]).toEqual([path, 200]);
    }
    const bytes = await new Client("", send).fetch(contentPath(downloadId));
    expect([bytes.status, await bytes.text()]).toEqual([200, "hello"]);
    for (const path of ["/dashboard", "/api/files", "/account"]) {
      const response = await new Client(person.cookie, send).fetch(path);
      await response.arrayBuffer();
      expect([path, response.status]).toEqual([path, 200]);
    }
    await settled();
  });
});
