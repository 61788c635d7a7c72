import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { MIB } from "#domain/units.ts";
import { createApp } from "#worker/app.ts";
import { countedBody } from "../support/bodies.ts";
import { mailTo } from "../support/mails.ts";
import { makeKey } from "../support/v1.ts";
import { workerWith } from "../support/worker-with-env.ts";
import {
  Client,
  contentPath,
  monthlyUsage,
  patternBytes,
  putOnPlan,
  rowOf,
  runSql,
  sha256Of,
  signUp,
  stopClockAt,
} from "../support/worker.ts";

const DAY_MS = 86_400_000;
const api = createApp();

let person: Awaited<ReturnType<typeof signUp>>;
let key: string;

beforeEach(async () => {
  person = await signUp();
  ({ key } = await makeKey(person));
});

/** As `curl -T` sends: without cookies, with a length. */
function put(path: string, body: BodyInit | null, headers: Record<string, string> = {}): Promise<Response> {
  return new Client().fetch(path, { method: "PUT", headers: { authorization: `Bearer ${key}`, ...headers }, body });
}

async function downloadIdOf(response: Response): Promise<string> {
  const text = await response.text();
  const [, downloadId = ""] = /\/download\/([\w-]{22})\n$/.exec(text) ?? [];
  expect([response.status, text]).toEqual([201, `${env.APP_ORIGIN}/download/${downloadId}\n`]);
  return downloadId;
}

const objects = async () => (await env.BUCKET.list()).objects.length;

describe("a file that is put", () => {
  it.each([0, 1, MIB, MIB + 1, 8 * MIB, 8 * MIB + 1, 17 * MIB])(
    "of %i bytes becomes the same file",
    async (size) => {
      const bytes = patternBytes(size);
      const downloadId = await downloadIdOf(await put("/a%20file.txt", bytes));
      const download = await new Client().fetch(contentPath(downloadId));
      expect(download.headers.get("content-type")).toBe("text/plain");
      expect(download.headers.get("content-disposition")).toContain('filename="a file.txt"');
      const sha256 = await sha256Of(bytes);
      expect(await sha256Of(await download.arrayBuffer())).toBe(sha256);
      const info = await new Client().fetch(`/api/files/download/${downloadId}`);
      expect(await info.json()).toMatchObject({ status: "ready", size, sha256, sha256Source: "server" });
      expect(await monthlyUsage(person.email)).toEqual({ bytes: size, transfers: 1 });
    },
    60_000,
  );

  it("answers the link in plain text, in Location, and with an address that deletes it [SEND-1]", async () => {
    const response = await put("/a.txt", "hello");
    expect(response.headers.get("content-type")).toBe("text/plain; charset=UTF-8");
    expect(response.headers.get("x-url-delete")).toMatch(
      new RegExp(`^${env.APP_ORIGIN}/delete/[0-9a-f-]{36}/[\\w-]{43}$`),
    );
    expect(response.headers.get("set-cookie")).toBeNull();
    const location = response.headers.get("location");
    expect(await response.text()).toBe(`${location ?? ""}\n`);
  });

  it("answers JSON with v1's names to whoever asks for it", async () => {
    const response = await put("/a.txt", "hello", { accept: "application/json" });
    const answer = await response.json<{ downloadId: string }>();
    expect([response.status, answer]).toEqual([
      201,
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        downloadId: expect.stringMatching(/^[\w-]{22}$/) as string,
        link: `${env.APP_ORIGIN}/download/${answer.downloadId}`,
        downloadUrl: `${env.APP_ORIGIN}${contentPath(answer.downloadId)}`,
        name: "a.txt",
        size: 5,
        expiresAt: expect.any(String) as string,
      },
    ]);
  });

  it("without a length is counted at its end [SEND-2]", async () => {
    const { stream } = countedBody(patternBytes(MIB + 3));
    const bytes = stream.pipeThrough(new IdentityTransformStream());
    const downloadId = await downloadIdOf(await put("/dump.sql", bytes));
    expect(await rowOf("select size from files where download_id = ?", downloadId)).toEqual({ size: MIB + 3 });
  });

  it("is its key's [SEND-4]", async () => {
    const downloadId = await downloadIdOf(await put("/a.txt", "hello"));
    const row = await rowOf(
      "select f.user_id as userId, k.last_four as lastFour from files f join api_keys k on k.id = f.api_key_id where f.download_id = ?",
      downloadId,
    );
    expect(row).toEqual({ userId: person.id, lastFour: key.slice(-4) });
  });

  it("whose line breaks leaves nothing", async () => {
    const before = await objects();
    const { readable, writable } = new IdentityTransformStream();
    const writer = writable.getWriter();
    const broken = writer.write(patternBytes(9 * MIB)).then(() => writer.abort(new Error("the line broke")));
    const response = await new Client("", (request) => api.fetch(request, env)).fetch("/a.bin", {
      method: "PUT",
      headers: { authorization: `Bearer ${key}` },
      body: readable,
    });
    await broken;
    expect(response.status).toBe(500);
    expect(await objects()).toBe(before);
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 0, transfers: 0 });
  });
});

describe("what a file that is put may choose", () => {
  const chosen = async (path: string, headers: Record<string, string> = {}) => {
    const downloadId = await downloadIdOf(await put(path, "hello", headers));
    return rowOf<Record<string, unknown>>(
      "select filename, max_downloads as downloads, password_hash is not null as locked, expires_at as expiresAt from files where download_id = ?",
      downloadId,
    );
  };

  it.each([
    ["a header", "/a.txt", { "mayfly-expires": "1d" }, 1],
    ["the query", "/a.txt?expires=1d", {}, 1],
    ["a header before the query", "/a.txt?expires=3m", { "mayfly-expires": "1d" }, 1],
    ["a number of days, rounded down", "/a.txt", { "max-days": "2" }, 1],
    ["more days than an expiry", "/a.txt", { "max-days": "6" }, 3],
    ["an expiry before a number of days", "/a.txt", { "max-days": "3", "mayfly-expires": "1d" }, 1],
    ["nothing", "/a.txt", {}, 3],
  ])("an expiry, by %s", async (_, path, headers, days) => {
    const now = Date.now();
    stopClockAt(now);
    expect((await chosen(path, headers as Record<string, string>))["expiresAt"]).toBe(now + days * DAY_MS);
  });

  it("a large file's default expiry, which is then not shortened", async () => {
    const now = Date.now();
    stopClockAt(now);
    await putOnPlan(person.email, "professional");
    const row = await chosen("/a.txt", { "mayfly-expires": "3d" });
    expect(row["expiresAt"]).toBe(now + 3 * DAY_MS);
    expect(await rowOf("select expiration_chosen as chosen from files where user_id = ?", person.id)).toEqual({
      chosen: 1,
    });
  });

  it("its name, in UTF-8, instead of the address's", async () => {
    expect((await chosen("/-", { "mayfly-name": "dump.sql" }))["filename"]).toBe("dump.sql");
    expect((await chosen("/?name=a%C3%B1ejo.sql"))["filename"]).toBe("añejo.sql");
    expect((await chosen("/a%C3%B1ejo%20%F0%9F%A5%83.txt"))["filename"]).toBe("añejo 🥃.txt");
  });

  it("a password and a number of downloads, under both names", async () => {
    expect(await chosen("/a.txt", { "mayfly-password": "open sesame", "mayfly-downloads": "3" })).toMatchObject({
      downloads: 3,
      locked: 1,
    });
    expect(await chosen("/a.txt", { "max-downloads": "2" })).toMatchObject({ downloads: 2, locked: 0 });
  });

  it("whom its link is mailed to, if the key may mail", async () => {
    await downloadIdOf(await put("/a.txt", "hello", { "mayfly-to": "friend@example.com" }));
    expect((await mailTo("friend@example.com")).text).toContain("/download/");
    const { key: sender } = await makeKey(person, { scopes: ["upload"] });
    const refused = await put("/a.txt", "hello", {
      authorization: `Bearer ${sender}`,
      "mayfly-to": "friend@example.com",
    });
    expect([refused.status, await refused.text()]).toEqual([
      403,
      "This API key may not do that: it lacks files:write.",
    ]);
  });
});

describe("a file that is put is refused before a byte is read,", () => {
  /** A stream of 20 MiB with this length in the header, and how much of it was read. */
  async function refusal(path: string, headers: Record<string, string>, settings: Env = env) {
    const { stream, readBytes } = countedBody(patternBytes(20 * MIB));
    const response = await workerWith(settings)(
      new Request(new URL(path, env.APP_ORIGIN), { method: "PUT", headers, body: stream }),
    );
    expect(response.headers.get("connection")).toBe("close");
    const reader = response.body?.getReader();
    const words: unknown = (await reader?.read())?.value;
    const readBeforeWords = readBytes();
    await reader?.cancel();
    return {
      status: response.status,
      text: words instanceof Uint8Array ? new TextDecoder().decode(words) : "",
      response,
      readBytes: readBeforeWords,
    };
  }
  const withKey = () => ({ authorization: `Bearer ${key}` });

  it("without a key, with two lines that explain it", async () => {
    const { status, text, response, readBytes } = await refusal("/a.bin", {});
    expect([status, text, readBytes]).toEqual([
      401,
      `Send an API key: curl -T FILE -u :mayfly_… ${env.APP_ORIGIN}/\nMake one on your account page: ${env.APP_ORIGIN}/account`,
      0,
    ]);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
  });

  it.each([
    ["with a session alone", () => ({ cookie: person.cookie }), 401],
    ["with an unknown key", () => ({ authorization: "Bearer mayfly_no" }), 401],
    ["from a page", () => ({ ...withKey(), origin: "https://other.example" }), 403],
    ["from our own page", () => ({ ...withKey(), origin: env.APP_ORIGIN }), 403],
    ["from a browser", () => ({ ...withKey(), "sec-fetch-site": "none" }), 403],
    ["above 100 MB", () => ({ ...withKey(), "content-length": "100000001" }), 413],
    ["with an unknown expiry", () => ({ ...withKey(), "mayfly-expires": "2d" }), 400],
    ["with no days", () => ({ ...withKey(), "max-days": "0" }), 400],
    ["with an expiry that the plan lacks", () => ({ ...withKey(), "mayfly-expires": "7d" }), 403],
    ["with a short password", () => ({ ...withKey(), "mayfly-password": "short" }), 400],
    ["with no downloads", () => ({ ...withKey(), "mayfly-downloads": "0" }), 400],
    ["with a wrong address to mail to", () => ({ ...withKey(), "mayfly-to": "nobody" }), 400],
  ] as [string, () => Record<string, string>, number][])("%s", async (_, headers, status) => {
    const refused = await refusal("/a.bin", headers());
    expect([refused.status, refused.readBytes]).toEqual([status, 0]);
  });

  it.each([
    ["without a name", "/", 400],
    ["with a name that is not UTF-8", "/%ff.txt", 400],
    ["with a path for a name", "/..%2Fa.txt", 400],
    ["with a name of 256 characters", `/${"a".repeat(256)}`, 400],
  ])("%s", async (_, path, status) => {
    const refused = await refusal(path, withKey());
    expect([refused.status, refused.readBytes]).toEqual([status, 0]);
  });

  it("when the month is used up, or the key's", async () => {
    await runSql("update users set monthly_transfer_count = 20 where id = ?", person.id);
    const refused = await refusal("/a.bin", withKey());
    expect([refused.status, refused.text, refused.readBytes]).toEqual([
      403,
      "You have used all 20 transfers for this month.",
      0,
    ]);
    await runSql("update users set monthly_transfer_count = 0 where id = ?", person.id);
    const { key: small } = await makeKey(person, { limits: { monthBytes: 10 } });
    const over = await refusal("/a.bin", { authorization: `Bearer ${small}`, "content-length": "11" });
    expect([over.status, over.text, over.readBytes]).toEqual([
      403,
      "This API key has used up what it may send this month.",
      0,
    ]);
  });

  it("with a key that may not upload, has run out, or was revoked", async () => {
    const { key: reader } = await makeKey(person, { scopes: ["files:read", "files:write"] });
    const { key: old, id: oldId } = await makeKey(person);
    const { key: revoked, id: revokedId } = await makeKey(person);
    await runSql("update api_keys set expires_at = 1 where id = ?", oldId);
    await person.delete(`/api/keys/${revokedId}`);
    for (const [used, status] of [
      [reader, 403],
      [old, 401],
      [revoked, 401],
    ] as const) {
      const refused = await refusal("/a.bin", { authorization: `Bearer ${used}` });
      expect([refused.status, refused.readBytes]).toEqual([status, 0]);
    }
  });

  it("in JSON for whoever asks for it", async () => {
    const { status, text } = await refusal("/a.bin", { accept: "application/json" });
    expect([status, JSON.parse(text)]).toMatchObject([401, { code: "KEY_MISSING" }]);
  });

  it("and the rest is read after the words, 24 MiB at most, so that the sender hears them [SEND-8]", async () => {
    const { stream, readBytes } = countedBody(patternBytes(40 * MIB));
    const response = await workerWith(env)(new Request(`${env.APP_ORIGIN}/a.bin`, { method: "PUT", body: stream }));
    expect(readBytes()).toBe(0);
    expect(await response.text()).toMatch(/^Send an API key/);
    expect(readBytes()).toBe(25_165_824);
  });

  it("and the answer ends, also for a sender that is silent [SEND-8]", async () => {
    const { readable } = new IdentityTransformStream();
    const response = await workerWith(env)(new Request(`${env.APP_ORIGIN}/a.bin`, { method: "PUT", body: readable }));
    expect([response.status, await response.text()]).toEqual([401, expect.stringMatching(/^Send an API key/)]);
  });

  it("says where larger files can be sent, and what this deployment takes [SEND-10]", async () => {
    const { text } = await refusal("/a.bin", { ...withKey(), "content-length": "100000001" });
    expect(text).toBe(
      `A request carries at most 100 MB here. Send larger files with send.sh: ${env.APP_ORIGIN}/send.sh`,
    );
    const more = await refusal(
      "/a.bin",
      { ...withKey(), "content-length": "500000001" },
      { ...env, MAX_REQUEST_MB: "500" },
    );
    expect([more.status, more.text]).toEqual([
      413,
      `A request carries at most 500 MB here. Send larger files with send.sh: ${env.APP_ORIGIN}/send.sh`,
    ]);
  });
});

describe("with ANONYMOUS_UPLOADS on", () => {
  it("a visitor's program sends without a key, and gets no cookie", async () => {
    const request = new Request(`${env.APP_ORIGIN}/a.txt`, { method: "PUT", body: "hello" });
    const response = await workerWith({ ...env, ANONYMOUS_UPLOADS: "on" })(request);
    expect(response.headers.get("set-cookie")).toBeNull();
    const downloadId = await downloadIdOf(response);
    expect(await rowOf("select user_id as userId from files where download_id = ?", downloadId)).toEqual({
      userId: null,
    });
    const mailed = new Request(`${env.APP_ORIGIN}/a.txt?to=a@b.example`, { method: "PUT", body: "hello" });
    expect((await workerWith({ ...env, ANONYMOUS_UPLOADS: "on" })(mailed)).status).toBe(401);
  });

  it("and RATE_LIMITS on, an address may start ten", async () => {
    const limited = workerWith({ ...env, ANONYMOUS_UPLOADS: "on", RATE_LIMITS: "on" });
    const headers = { "cf-connecting-ip": "198.51.100.77" };
    const send = () => limited(new Request(`${env.APP_ORIGIN}/a.txt`, { method: "PUT", headers, body: "hello" }));
    for (let sent = 0; sent < 10; sent += 1) expect((await send()).status).toBe(201);
    const refused = await send();
    expect([refused.status, refused.headers.has("retry-after")]).toEqual([429, true]);
  });
});
