import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { CALL_LIMITS } from "#domain/rate-limits.ts";
import { MIB } from "#domain/units.ts";
import type { InitChunkedAnswer, ProxyUploadAnswer } from "#domain/wire.ts";
import { createApp } from "#worker/app.ts";
import { putIncoming, runSql, Client, contentPath, patternBytes, rowOf, signUp } from "../support/worker.ts";

const START = "/api/direct-upload/presigned-url";
const FILE = { filename: "a.txt", fileType: "text/plain", fileSize: 5, expiration: "3d" };

const api = createApp();
const visitors = { ...env, ANONYMOUS_UPLOADS: "on" };
const limited = { ...visitors, RATE_LIMITS: "on" };

function visitor(settings: Env = visitors, address = "198.51.100.7"): Client {
  return new Client("", (request) => {
    const headers = new Headers(request.headers);
    headers.set("cf-connecting-ip", address);
    return api.fetch(new Request(request, { headers }), settings);
  });
}

function form(more: Record<string, string> = {}): FormData {
  const fields = new FormData();
  fields.set("file", new File([patternBytes(5)], "a.txt"));
  for (const [name, value] of Object.entries(more)) fields.set(name, value);
  return fields;
}

describe("with ANONYMOUS_UPLOADS off, the default,", () => {
  it.each([
    ["straight", START, FILE],
    ["in chunks", "/api/chunked-upload/init", { ...FILE, totalSize: "5", totalChunks: "1" }],
  ])(
    "starting an upload %s without an account is 401 with requiresAuth and sets no token [ROLE-2]",
    async (_transport, path, body) => {
      const response = await visitor(env).post(path, body);
      expect([response.status, await response.json()]).toMatchObject([401, { requiresAuth: true }]);
      expect(response.headers.has("set-cookie")).toBe(false);
    },
  );

  it("a form without an account is 401 with requiresAuth", async () => {
    const response = await visitor(env).postForm("/api/direct-upload/proxy-upload", form());
    expect([response.status, await response.json()]).toMatchObject([401, { requiresAuth: true }]);
  });

  it("a token from before the setting was turned off is rejected", async () => {
    const browser = visitor();
    const { downloadId } = await browser.startUpload(5);
    const later = new Client(browser.cookie, (request) => api.fetch(request, env));
    expect((await later.post(START, FILE)).status).toBe(401);
    expect((await later.complete(downloadId)).status).toBe(401);
  });
});

describe("with ANONYMOUS_UPLOADS on", () => {
  it("a visitor uploads straight to storage with an HttpOnly, SameSite token [DEC-18]", async () => {
    const browser = visitor();
    const response = await browser.post(START, FILE);
    expect(response.status).toBe(200);
    const [cookie = ""] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^mayfly\.upload_token=[\w%+/=-]{40,};/);
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; SameSite=Lax/);
    const { uploadId, downloadId } = await response.json<{ uploadId: string; downloadId: string }>();
    await putIncoming(uploadId, "hello");
    expect((await browser.complete(downloadId)).status).toBe(200);
    expect(await (await new Client().fetch(contentPath(downloadId))).text()).toBe("hello");
    const row = await rowOf<{ hash: string }>(
      "select user_id as owner, upload_token_hash as hash from files where id = ?",
      uploadId,
    );
    expect(row).toEqual({ owner: null, hash: expect.any(String) as string });
    expect(decodeURIComponent(browser.cookie)).not.toContain(row.hash);
  });

  it("a visitor uploads in chunks and in a form with the same token", async () => {
    const browser = visitor();
    const sizes = { totalSize: "5", totalChunks: "1" };
    const init = await browser.post("/api/chunked-upload/init", { ...FILE, ...sizes });
    const { cookie } = browser;
    const { uploadId, downloadId } = await init.json<InitChunkedAnswer>();
    const chunk = new FormData();
    chunk.set("chunk", new Blob(["hello"]));
    for (const [name, value] of [
      ["uploadId", uploadId],
      ["chunkIndex", "0"],
      ["totalChunks", "1"],
    ] as const) {
      chunk.set(name, value);
    }
    expect((await browser.postForm("/api/chunked-upload/chunk", chunk)).status).toBe(200);
    expect((await browser.post("/api/chunked-upload/finalize", { uploadId })).status).toBe(200);
    expect(await (await new Client().fetch(contentPath(downloadId))).text()).toBe("hello");

    const proxied = await browser.postForm("/api/direct-upload/proxy-upload", form());
    expect(proxied.status).toBe(200);
    const { downloadUrl } = await proxied.json<ProxyUploadAnswer>();
    expect((await new Client().fetch(downloadUrl)).status).toBe(200);
    expect(browser.cookie).toBe(cookie);
  });

  it.each([
    ["500 MB", { fileSize: 500 * MIB }, 200],
    ["a byte more", { fileSize: 500 * MIB + 1 }, 403],
    ["3 days", { expiration: "3d" }, 200],
    ["7 days", { expiration: "7d" }, 403],
    ["for good", { expiration: "never" }, 403],
  ])("%s: %j is %i", async (_what, more, status) => {
    const response = await visitor().post(START, { ...FILE, ...more });
    expect(response.status).toBe(status);
    if (status === 403) expect(await response.json()).toMatchObject({ planLimitExceeded: true });
  });

  it("a form cannot choose a longer expiration either", async () => {
    const response = await visitor().postForm("/api/direct-upload/proxy-upload", form({ expiration: "7d" }));
    expect(response.status).toBe(403);
  });

  it.each(["sign-parts", "complete", "cancel"])(
    "another browser and an account get 404 from %s [DEC-18]",
    async (call) => {
      const browser = visitor();
      const { uploadId, downloadId } = await browser.startUpload(5);
      await putIncoming(uploadId, "hello");
      const { cookie } = await signUp();
      const person = new Client(cookie, (request) => api.fetch(request, visitors));
      for (const other of [visitor(), person]) {
        const response = await other.post(`/api/direct-upload/${call}`, { downloadId, parts: [1] });
        expect(response.status).toBe(404);
      }
      const own = await browser.post(`/api/direct-upload/${call}`, { downloadId, parts: [1] });
      expect(own.status).toBe(200);
    },
  );

  it("another browser cannot send its bytes", async () => {
    const browser = visitor();
    const { uploadId, downloadId } = await browser.startUpload(5);
    const part = { method: "PUT", headers: { "content-length": "5" }, body: "hello" };
    const path = `/api/direct-upload/parts/${downloadId}/1`;
    expect((await visitor().fetch(path, part)).status).toBe(404);
    expect(await env.BUCKET.head(`incoming/${uploadId}`)).toBeNull();
    expect((await browser.fetch(path, part)).status).toBe(200);
    expect((await browser.complete(downloadId)).status).toBe(200);
  });

  it("the token gives no access to an account's calls", async () => {
    const browser = visitor();
    await browser.startUpload(5);
    for (const path of ["/api/files", "/api/direct-upload/unfinished"]) {
      expect((await browser.fetch(path)).status).toBe(401);
    }
  });

  it("an address can start ten uploads a day over all transports and tokens [ROLE-3]", async () => {
    const address = "203.0.113.9";
    const { maxCalls } = CALL_LIMITS.anonymousUpload[0];
    expect(maxCalls).toBe(10);
    const starts = [
      () => visitor(limited, address).post(START, FILE),
      () => visitor(limited, address).postForm("/api/direct-upload/proxy-upload", form()),
      () => visitor(limited, address).post("/api/chunked-upload/init", { ...FILE, totalSize: "5", totalChunks: "1" }),
    ];
    for (let count = 0; count < maxCalls; count += 1) {
      expect((await starts[count % starts.length]?.())?.status).toBe(200);
    }
    for (const start of starts) {
      const rejected = await start();
      expect([rejected.status, await rejected.json()]).toMatchObject([429, { code: "RATE_LIMITED" }]);
    }
    expect((await visitor(limited, "203.0.113.10").post(START, FILE)).status).toBe(200);
  });
});

describe("repairing the bucket's CORS rules", () => {
  const SPELLINGS = ["/api/diagnostics/public-fix-cors", "/api/diagnostic/public-fix-cors"];

  beforeEach(async () => {
    await runSql("delete from files");
  });

  it.each(SPELLINGS)(
    "at %s: answers anyone that the built-in store needs no rules [API-18, API-19, API-21]",
    async (path) => {
      for (let time = 1; time <= 2; time += 1) {
        const response = await new Client().post(path, {});
        expect([response.status, await response.json()]).toEqual([
          200,
          { success: true, message: expect.stringMatching(/nothing to fix/) as string },
        ]);
      }
      expect((await new Client().fetch(path, { method: "POST" })).status).toBe(200);
    },
  );

  it("is limited to five calls a minute for an address, over both paths [LIM-14]", async () => {
    const { maxCalls } = CALL_LIMITS.fixCors[0];
    const browser = visitor(limited, "203.0.113.20");
    for (let count = 0; count < maxCalls; count += 1) {
      expect((await browser.post(SPELLINGS[count % 2] ?? "", {})).status).toBe(200);
    }
    for (const path of SPELLINGS) {
      const rejected = await browser.post(path, {});
      expect([rejected.status, rejected.headers.has("retry-after")]).toEqual([429, true]);
    }
  });
});
