// @module-tag long
import { beforeAll, describe, expect, it } from "vitest";
import { KNOWN_CHARSETS } from "#domain/mime.ts";
import type { DownloadInfo, ProxyUploadAnswer } from "#domain/wire.ts";
import { finalize, init, put } from "../support/chunked.ts";
import { runSql, Client, contentPath, putOnPlan, sendFile, signUp } from "../support/worker.ts";

const BODY = "hello";
const visitor = new Client();
let sender: Client & { email: string };

beforeAll(async () => {
  sender = await signUp();
  await putOnPlan(sender.email, "ultimate");
});

/** Declared types of a file without an extension, and how they are served. */
const TYPES: [announced: string, served: string][] = [
  ["text/html; charset=utf-7", "text/html"],
  ["text/html; charset=utf-16", "text/html"],
  ["text/html; charset=nonsense", "text/html"],
  ["text/html; charset=UTF-8", "text/html; charset=utf-8"],
  ['text/html;charset="windows-1252"', "text/html; charset=windows-1252"],
  ['text/html; charset="utf-8', "text/html"],
  ["text/html; charset=", "text/html"],
  ["text/html; charset=utf-8; charset=utf-7", "text/html; charset=utf-8"],
  ["text/html; a=b; charset=koi8-r; c=d", "text/html; charset=koi8-r"],
  ["text/html;;;", "text/html"],
  ["TEXT/HTML", "text/html"],
  ["image/svg+xml; charset=utf-7", "image/svg+xml"],
  ["application/vnd.a+json", "application/vnd.a+json"],
  ["multipart/form-data", "multipart/form-data"],
  ["text", "application/octet-stream"],
  ["text/", "application/octet-stream"],
  ["/html", "application/octet-stream"],
  ["text/pl ain", "application/octet-stream"],
  ["text/html, text/plain", "application/octet-stream"],
  ["text/html\r\nset-cookie: a=b", "application/octet-stream"],
  ["text/html; charset=ü", "application/octet-stream"],
  ["téxt/html", "application/octet-stream"],
  ["💥/💥", "application/octet-stream"],
  [`text/${"x".repeat(128)}`, "application/octet-stream"],
  [`text/html; a=${"x".repeat(5000)}`, "text/html"],
  [" ", "application/octet-stream"],
  ["", "application/octet-stream"],
];

async function inChunks(fileType: string): Promise<string> {
  const { uploadId, downloadId } = await init(sender, BODY.length, { filename: "a file", fileType });
  await put(sender, uploadId, 0, new TextEncoder().encode(BODY));
  expect((await finalize(sender, uploadId)).status).toBe(200);
  return downloadId;
}

async function direct(fileType: string): Promise<string> {
  return (await sendFile(sender, BODY, { filename: "a file", fileType })).downloadId;
}

async function throughWorker(fileType: string): Promise<string> {
  const { downloadId } = await sender.startUpload(BODY.length, { filename: "a file", fileType });
  const headers = { "content-length": String(BODY.length) };
  const part = await sender.fetch(`/api/direct-upload/parts/${downloadId}/1`, { method: "PUT", headers, body: BODY });
  expect(part.status).toBe(200);
  expect((await sender.complete(downloadId)).status).toBe(200);
  return downloadId;
}

/** A type in a part's header cannot contain a line break. */
async function inForm(fileType: string): Promise<string> {
  const form =
    `--x\r\ncontent-disposition: form-data; name="file"; filename="a file"\r\ncontent-type: ${fileType}\r\n\r\n` +
    `${BODY}\r\n--x--\r\n`;
  const headers = { "content-type": "multipart/form-data; boundary=x" };
  const response = await sender.fetch("/api/direct-upload/proxy-upload", { method: "POST", headers, body: form });
  expect(response.status).toBe(200);
  return (await response.json<ProxyUploadAnswer>()).downloadId;
}

/** Cloudflare and the local runtime may rewrite any HTML with it, and answer 500 if it throws. */
async function rewritten(response: Response): Promise<string> {
  return new HTMLRewriter().on("nothing", {}).transform(response).text();
}

async function expectServed(downloadId: string, type: string): Promise<void> {
  const bytes = await visitor.fetch(contentPath(downloadId));
  expect([bytes.status, bytes.headers.get("content-type")]).toEqual([200, type]);
  expect(await rewritten(bytes)).toBe(BODY);
  const head = await visitor.fetch(contentPath(downloadId), { method: "HEAD" });
  expect([head.status, head.headers.get("content-type")]).toEqual([200, type]);
  const part = await visitor.fetch(contentPath(downloadId), { headers: { range: "bytes=1-2" } });
  expect([part.status, part.headers.get("content-type")]).toEqual([206, type]);
  expect(await rewritten(part)).toBe("el");
  const info = await visitor.fetch(`/api/files/download/${downloadId}`);
  expect((await info.json<DownloadInfo>()).mimeType).toBe(type);
  const preview = await visitor.fetch(`/api/files/download/${downloadId}/preview`);
  expect([200, 415]).toContain(preview.status);
  await rewritten(preview);
}

describe("a file's type, whatever the sender declares,", () => {
  it.each([
    ["straight to storage", direct],
    ["in parts through the Worker", throughWorker],
    ["in chunks", inChunks],
  ])("is safe to serve, sent %s [VAL-12]", async (_transport, send) => {
    for (const [announced, served] of TYPES) await expectServed(await send(announced), served);
  });

  it("is safe to serve, sent in a form", async () => {
    const sendable = TYPES.filter(([announced]) => /^[\t\x20-\x7e]*$/.test(announced));
    for (const [announced, served] of sendable) {
      const downloadId = await inForm(announced);
      // The form parser drops parameters and treats an invalid type as text.
      const [essence = ""] = served.split(";");
      const { mimeType } = await (await visitor.fetch(`/api/files/download/${downloadId}`)).json<DownloadInfo>();
      expect([essence, "text/plain", "application/octet-stream"]).toContain(mimeType);
      await expectServed(downloadId, mimeType);
    }
  });

  it("is made safe when read from an older row", async () => {
    for (const [announced, served] of TYPES) {
      // A link of its own each time: the row of one that is opened so often is kept for a second.
      const { uploadId, downloadId } = await sendFile(sender, BODY);
      await runSql("update files set mime_type = ? where id = ?", announced, uploadId);
      await expectServed(downloadId, served);
    }
  });

  it("is taken from the extension if the sender declares none", async () => {
    const { downloadId } = await sendFile(sender, BODY, { filename: "photo.png", fileType: "nonsense" });
    await expectServed(downloadId, "image/png");
  });
});

describe("every charset that a type may have", () => {
  it.each([...KNOWN_CHARSETS])("%s can be decoded, and rewritten as HTML", async (charset) => {
    expect(() => new TextDecoder(charset)).not.toThrow();
    const headers = { "content-type": `text/html; charset=${charset}` };
    expect(await rewritten(new Response("<p>hello</p>", { headers }))).toBe("<p>hello</p>");
  });
});
