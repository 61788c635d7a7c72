import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { DAY_MS, MIB, MINUTE_MS } from "#domain/units.ts";
import type { DownloadInfo, ListedFile } from "#domain/wire.ts";
import { listRoutes } from "../support/routes.ts";
import {
  runSql,
  Client,
  contentPath,
  rowOf,
  sendFile,
  sendParts,
  signUp,
  stopClockAt,
  type SentFile,
} from "../support/worker.ts";

const BODY = "0123456789";
const visitor = new Client();

function infoOf(downloadId: string): Promise<Response> {
  return visitor.fetch(`/api/files/download/${downloadId}`);
}

async function sent(more: Record<string, unknown> = {}): Promise<SentFile> {
  return sendFile(await signUp(), BODY, more);
}

const infoPath = ({ downloadId }: SentFile) => `/api/files/download/${downloadId}`;
const bytesPath = ({ downloadId }: SentFile) => contentPath(downloadId);
const previewPath = (file: SentFile) => `${infoPath(file)}/preview`;
const tilePath = (file: SentFile) => `${infoPath(file)}/tile`;
const viewPath = (file: SentFile) => `${infoPath(file)}/view`;
const livePath = (file: SentFile) => `${infoPath(file)}/live`;
const unlockPath = (file: SentFile) => `${infoPath(file)}/unlock`;
const takePath = (file: SentFile) => `${infoPath(file)}/take`;
const openedPath = (file: SentFile) => `${infoPath(file)}/opened`;
const reportPath = (file: SentFile) => `${infoPath(file)}/report`;
const pagePath = ({ downloadId }: SentFile) => `/download/${downloadId}`;
const socketPath = ({ downloadId }: SentFile) => `/ws?id=${downloadId}`;
const mailPath = ({ uploadId }: SentFile) => `/api/files/${uploadId}/share`;

const asJson = (body: unknown): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});
const REPORT = asJson({ reason: "other" });
const OPENED = asJson({});
const UNLOCK = asJson({ password: "any password" });
const SOCKET: RequestInit = { headers: { upgrade: "websocket" } };
const MAIL = asJson({ email: "friend@example.com" });

async function isListedAsExpired(owner: Client, { uploadId }: SentFile): Promise<boolean | undefined> {
  const files = await (await owner.fetch("/api/files")).json<ListedFile[]>();
  return files.find(({ id }) => id === uploadId)?.isExpired;
}

/** Answers of a link's info, content and preview. */
async function statusesOf(downloadId: string): Promise<number[]> {
  const answers = await Promise.all([
    infoOf(downloadId),
    visitor.fetch(contentPath(downloadId)),
    visitor.fetch(`/api/files/download/${downloadId}/preview`),
  ]);
  await Promise.all(answers.map((answer) => answer.arrayBuffer()));
  return answers.map(({ status }) => status);
}

describe("a link's info", () => {
  it("info of a finished file describes it without revealing its owner or object key [API-13]", async () => {
    const owner = await signUp();
    const file = { filename: "Bericht.pdf", fileType: "application/pdf" };
    const { uploadId, downloadId } = await sendFile(owner, BODY, file);
    const { expiresAt, userId } = await rowOf<{ expiresAt: number; userId: string }>(
      "select expires_at as expiresAt, user_id as userId from files where download_id = ?",
      downloadId,
    );
    const response = await infoOf(downloadId);
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    const info = await response.text();
    expect(JSON.parse(info)).toMatchObject({
      filename: "Bericht.pdf",
      size: BODY.length,
      status: "ready",
      mimeType: "application/pdf",
      downloadUrl: `${env.APP_ORIGIN}${contentPath(downloadId)}`,
      expiresAt: new Date(expiresAt).toISOString(),
      // printf 0123456789 | sha256sum
      sha256: "84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882",
    });
    for (const secret of [uploadId, userId, owner.email]) expect(info).not.toContain(secret);
  });

  it("info of an upload in progress has the progress, but no download URL and no expiry [DEC-1]", async () => {
    const person = await signUp();
    const { uploadId, downloadId } = await person.startUpload(16 * MIB + 1);
    const info = async () => (await infoOf(downloadId)).json<DownloadInfo>();
    expect(await info()).toMatchObject({
      filename: "a file.txt",
      size: 16 * MIB + 1,
      status: "uploading",
      mimeType: "text/plain",
      progress: 0,
      downloadUrl: null,
    });
    const receipts = await sendParts(uploadId, new Uint8Array(16 * MIB + 1));
    await person.post("/api/direct-upload/sign-parts", { downloadId, parts: [], receipts: receipts.slice(0, 1) });
    expect(await info()).toMatchObject({ status: "uploading", progress: 49, downloadUrl: null });
    expect(await info()).not.toHaveProperty("expiresAt");

    const content = await visitor.fetch(contentPath(downloadId));
    expect(content.status).toBe(409);
    expect(await content.json()).toMatchObject({ code: "UPLOAD_UNFINISHED" });
  });

  it.each(["AAAAAAAAAAAAAAAAAAAAAA", "short", "x".repeat(500), "%00", "..%2f..%2fetc", "' or 1=1 --", "💥"])(
    "info and content of the unknown id %j are 404",
    async (downloadId) => {
      for (const response of [await infoOf(downloadId), await visitor.fetch(contentPath(downloadId))]) {
        expect(response.status).toBe(404);
        expect(await response.json()).toMatchObject({ message: expect.any(String) as string });
      }
    },
  );

  it("download ids are unique and have 128 bits [DEC-3]", async () => {
    const person = await signUp();
    const starts = await Promise.all(Array.from({ length: 10 }, () => person.startUpload(1)));
    const ids = starts.map(({ downloadId }) => downloadId);
    expect(new Set(ids).size).toBe(10);
    for (const id of ids) expect(atob(id.replaceAll("-", "+").replaceAll("_", "/"))).toHaveLength(16);
  });
});

describe("the end of a link", () => {
  it("a link works until the last millisecond before it expires, then answers 410, without a sweep [API-13, DEC-7, DL-9]", async () => {
    const { uploadId, downloadId } = await sent();
    const end = Date.now() + 5 * MINUTE_MS;
    await runSql("update files set expires_at = ? where id = ?", end, uploadId);
    stopClockAt(end - 1);
    expect(await statusesOf(downloadId)).toEqual([200, 200, 200]);
    for (const later of [0, 1, DAY_MS]) {
      stopClockAt(end + later);
      expect(await statusesOf(downloadId)).toEqual([410, 410, 410]);
    }
    expect(await (await infoOf(downloadId)).json()).toMatchObject({ code: "FILE_EXPIRED" });
    expect(await env.BUCKET.head(`files/${uploadId}`)).not.toBeNull();
  });

  /** Every call with a link, and its status before the link expires. */
  const READS: { call: string; path: (file: SentFile) => string; init?: RequestInit; alive: number }[] = [
    { call: "GET /api/files/download/:downloadId", path: infoPath, alive: 200 },
    { call: "its HEAD", path: infoPath, init: { method: "HEAD" }, alive: 200 },
    { call: "GET /api/files/download/:downloadId/content", path: bytesPath, alive: 200 },
    { call: "its HEAD", path: bytesPath, init: { method: "HEAD" }, alive: 200 },
    { call: "a range of it", path: bytesPath, init: { headers: { range: "bytes=-1" } }, alive: 206 },
    { call: "a range outside of it", path: bytesPath, init: { headers: { range: "bytes=99-" } }, alive: 416 },
    { call: "a conditional read of it", path: bytesPath, init: { headers: { "if-none-match": "*" } }, alive: 304 },
    { call: "one that cannot be", path: bytesPath, init: { headers: { "if-match": '"x"' } }, alive: 412 },
    { call: "GET /api/files/download/:downloadId/preview", path: previewPath, alive: 200 },
    { call: "its HEAD", path: previewPath, init: { method: "HEAD" }, alive: 200 },
    { call: "GET /api/files/download/:downloadId/tile", path: tilePath, alive: 404 },
    { call: "GET /api/files/download/:downloadId/view", path: viewPath, alive: 404 },
    { call: "POST /api/files/download/:downloadId/report", path: reportPath, init: REPORT, alive: 201 },
    { call: "GET /api/files/download/:downloadId/live", path: livePath, init: SOCKET, alive: 101 },
    { call: "POST /api/files/download/:downloadId/unlock", path: unlockPath, init: UNLOCK, alive: 200 },
    { call: "POST /api/files/download/:downloadId/take", path: takePath, init: { method: "POST" }, alive: 201 },
    { call: "the page", path: pagePath, alive: 200 },
    { call: "its HEAD", path: pagePath, init: { method: "HEAD" }, alive: 200 },
    { call: "its loader", path: (file) => `${pagePath(file)}.data`, alive: 200 },
    { call: "POST /api/files/download/:downloadId/opened", path: openedPath, init: OPENED, alive: 409 },
    { call: "GET /ws", path: socketPath, init: SOCKET, alive: 101 },
    { call: "the owner's mail", path: mailPath, init: MAIL, alive: 200 },
  ];

  it("every call with a link answers 410 from the millisecond it expires, without a sweep [DEC-7, DL-9]", async () => {
    const byLink = listRoutes().filter((key) => / \/api\/files\/download\/:downloadId(?!\/entries)/.test(key));
    const calls = READS.map(({ call }) => call);
    expect(calls).toEqual(expect.arrayContaining([...byLink, "GET /ws"]));
    const owner = await signUp();
    const file = await sendFile(owner, BODY);
    const end = Date.now() + 5 * MINUTE_MS;
    await runSql("update files set expires_at = ? where id = ?", end, file.uploadId);
    const answers = async () => {
      const found: [string, number][] = [];
      for (const { call, path, init } of READS) {
        const response = await owner.fetch(path(file), init);
        response.webSocket?.accept();
        await response.arrayBuffer();
        found.push([`${call} ${path(file)}`, response.status]);
      }
      return found;
    };
    const expected = (status: (alive: number) => number) =>
      READS.map(({ call, path, alive }) => [`${call} ${path(file)}`, status(alive)]);
    stopClockAt(end - 1);
    expect(await answers()).toEqual(expected((alive) => alive));
    expect(await isListedAsExpired(owner, file)).toBe(false);
    stopClockAt(end);
    expect(await answers()).toEqual(expected(() => 410));
    expect(await isListedAsExpired(owner, file)).toBe(true);
    expect(await env.BUCKET.head(`files/${file.uploadId}`)).not.toBeNull();
  });

  it("HEAD, ranges and conditional reads of an expired file are 410", async () => {
    const { uploadId, downloadId } = await sent();
    const etag = (await visitor.fetch(contentPath(downloadId))).headers.get("etag") ?? "";
    await runSql("update files set expires_at = ? where id = ?", Date.now() - 1, uploadId);
    const reads: RequestInit[] = [
      { method: "HEAD" },
      { headers: { range: "bytes=5-" } },
      { headers: { "if-none-match": etag } },
      { headers: { "if-match": '"another"' } },
    ];
    for (const read of reads) expect((await visitor.fetch(contentPath(downloadId), read)).status).toBe(410);
  });

  it("a download that started before the expiry completes, but cannot be resumed after it", async () => {
    const body = crypto.getRandomValues(new Uint8Array(60_000));
    const { uploadId, downloadId } = await sendFile(await signUp(), body);
    const begun = await visitor.fetch(contentPath(downloadId));
    await runSql("update files set expires_at = ? where id = ?", Date.now() - 1, uploadId);
    const rest = await visitor.fetch(contentPath(downloadId), { headers: { range: "bytes=30000-" } });
    expect(rest.status).toBe(410);
    expect(new Uint8Array(await begun.arrayBuffer())).toEqual(body);
  });

  it.each([
    ["deleted by its owner", "deleted_at = 1", 410],
    ["taken down by an administrator", "admin_deleted = 1", 410],
    ["failed", "status = 'failed'", 404],
    ["cancelled", "status = 'cancelled'", 404],
  ])("the link of a file that was %s does not work", async (_how, set, status) => {
    const { uploadId, downloadId } = await sent();
    await runSql(`update files set ${set} where id = ?`, uploadId);
    expect(await statusesOf(downloadId)).toEqual([status, status, status]);
  });

  it("a link whose object is missing in storage is 410", async () => {
    const { uploadId, downloadId } = await sent();
    await env.BUCKET.delete(`files/${uploadId}`);
    expect((await visitor.fetch(contentPath(downloadId))).status).toBe(410);
  });
});
