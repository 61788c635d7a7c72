import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { MIB } from "#domain/units.ts";
import { Client, contentPath, patternBytes, sendFile, sha256Of, signUp } from "../support/worker.ts";

const BODY = "0123456789";
const visitor = new Client();
let path = "";
let etag = "";
let modified = "";

beforeAll(async () => {
  path = contentPath((await sendFile(await signUp(), BODY)).downloadId);
  const { headers } = await visitor.fetch(path, { method: "HEAD" });
  etag = headers.get("etag") ?? "";
  modified = headers.get("last-modified") ?? "";
});

/** Moves an HTTP date by some seconds. */
function secondsFrom(date: string, seconds: number): string {
  return new Date(Date.parse(date) + seconds * 1000).toUTCString();
}

describe("a download without a range", () => {
  it("is an attachment with headers against caching, execution and indexing [DEC-3]", async () => {
    const response = await visitor.fetch(path);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toEqual({
      "accept-ranges": "bytes",
      "cache-control": "private, no-store, no-transform",
      "content-disposition": `attachment; filename="a file.txt"; filename*=UTF-8''a%20file.txt`,
      "content-length": "10",
      "content-security-policy": "default-src 'none'; sandbox",
      "content-type": "text/plain",
      "cross-origin-resource-policy": "same-origin",
      etag: expect.stringMatching(/^"[^"]+"$/) as string,
      "last-modified": expect.stringMatching(/ GMT$/) as string,
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "x-request-id": expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      "x-robots-tag": "noindex",
    });
    expect(await response.text()).toBe(BODY);
  });

  it("HEAD answers the same headers without a body and ignores ranges", async () => {
    const whole = await visitor.fetch(path);
    await whole.arrayBuffer();
    for (const headers of [new Headers(), new Headers({ range: "bytes=0-0" })]) {
      const head = await visitor.fetch(path, { method: "HEAD", headers });
      expect(head.status).toBe(200);
      const announced = new Headers(whole.headers);
      announced.set("x-request-id", head.headers.get("x-request-id") ?? "");
      expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(announced));
      expect(await head.text()).toBe("");
    }
  });

  it.each([
    ["Bericht – Überblick 📈.txt", "Bericht _ Uberblick _.txt"],
    ['say "hi" 100%.txt', "say _hi_ 100_.txt"],
    ["שלום.pdf", "____.pdf"],
  ])("the whole filename %j is in the Content-Disposition header", async (filename, ascii) => {
    const { downloadId } = await sendFile(await signUp(), BODY, { filename });
    const disposition = (await visitor.fetch(contentPath(downloadId), { method: "HEAD" })).headers.get(
      "content-disposition",
    );
    const [, plain, extended] =
      /^attachment; filename="([^"]*)"; filename\*=UTF-8''(\S+)$/.exec(disposition ?? "") ?? [];
    expect(plain).toBe(ascii);
    expect(decodeURIComponent(extended ?? "")).toBe(filename);
  });

  it("HTML is an attachment in a sandbox too", async () => {
    const { downloadId } = await sendFile(await signUp(), "<script>alert(1)</script>", {
      filename: "x.html",
      fileType: "text/html",
    });
    const { headers } = await visitor.fetch(contentPath(downloadId), { method: "HEAD" });
    expect(headers.get("content-disposition")).toMatch(/^attachment;/);
    expect(headers.get("content-security-policy")).toContain("sandbox");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });
});

describe("a range of a download", () => {
  it.each([
    ["bytes=0-0", "0", "bytes 0-0/10"],
    ["bytes=2-5", "2345", "bytes 2-5/10"],
    ["bytes=9-9", "9", "bytes 9-9/10"],
    ["bytes=4-", "456789", "bytes 4-9/10"],
    ["bytes=5-100", "56789", "bytes 5-9/10"],
    ["bytes=-3", "789", "bytes 7-9/10"],
    ["bytes=-100", BODY, "bytes 0-9/10"],
  ])("%s answers 206 with %j", async (range, body, contentRange) => {
    const response = await visitor.fetch(path, { headers: { range } });
    expect(response.status).toBe(206);
    expect(response.headers.get("content-range")).toBe(contentRange);
    expect(response.headers.get("content-length")).toBe(String(body.length));
    expect(response.headers.get("etag")).toBe(etag);
    expect(await response.text()).toBe(body);
  });

  it.each(["bytes=10-", "bytes=10-20", "bytes=-0"])("%s is outside the file: 416 with the size", async (range) => {
    const response = await visitor.fetch(path, { headers: { range } });
    expect(response.status).toBe(416);
    expect(response.headers.get("content-range")).toBe("bytes */10");
    expect(await response.json()).toMatchObject({ code: "RANGE_NOT_SATISFIABLE" });
  });

  it.each(["bytes=0-1,4-5", "bytes=5-2", "lines=1-2", "bytes=a-b", "bytes"])(
    "%s is ignored and answers the whole file",
    async (range) => {
      const response = await visitor.fetch(path, { headers: { range } });
      expect(response.status).toBe(200);
      expect(response.headers.get("content-range")).toBeNull();
      expect(await response.text()).toBe(BODY);
    },
  );

  it("a range of an empty file is 416, and the file itself 200", async () => {
    const empty = contentPath((await sendFile(await signUp(), "")).downloadId);
    expect((await visitor.fetch(empty, { headers: { range: "bytes=0-" } })).status).toBe(416);
    const whole = await visitor.fetch(empty);
    expect([whole.status, whole.headers.get("content-length")]).toEqual([200, "0"]);
  });

  it("If-Range answers the range if it matches, and otherwise the whole file", async () => {
    const cases = [
      [etag, 206],
      [modified, 206],
      [`W/${etag}`, 200],
      ['"another"', 200],
      [secondsFrom(modified, -1), 200],
      [secondsFrom(modified, 1), 200],
      ["yesterday", 200],
    ] as const;
    for (const [ifRange, status] of cases) {
      const response = await visitor.fetch(path, { headers: { range: "bytes=0-1", "if-range": ifRange } });
      expect([ifRange, response.status, await response.text()]).toEqual([
        ifRange,
        status,
        status === 206 ? "01" : BODY,
      ]);
    }
  });
});

describe("a conditional download", () => {
  it("If-None-Match and If-Modified-Since answer 304 without a body if the client has the file", async () => {
    for (const tag of [etag, `W/${etag}`, "*", `"another", ${etag}`]) {
      const response = await visitor.fetch(path, { headers: { "if-none-match": tag } });
      expect([tag, response.status, await response.text()]).toEqual([tag, 304, ""]);
      expect(response.headers.get("etag")).toBe(etag);
    }
    const since = await visitor.fetch(path, { headers: { "if-modified-since": modified } });
    expect(since.status).toBe(304);
  });

  it("answers 200 if the client has a different file", async () => {
    const others: Record<string, string>[] = [
      { "if-none-match": '"another"' },
      { "if-modified-since": secondsFrom(modified, -1) },
      { "if-none-match": '"another"', "if-modified-since": modified },
    ];
    for (const headers of others) {
      const response = await visitor.fetch(path, { headers });
      expect([headers, response.status, await response.text()]).toEqual([headers, 200, BODY]);
    }
  });

  it("answers 412 if If-Match or If-Unmodified-Since does not hold", async () => {
    const insisting: Record<string, string>[] = [
      { "if-match": '"another"' },
      { "if-match": `W/${etag}` },
      { "if-unmodified-since": secondsFrom(modified, -1) },
      { "if-match": '"another"', "if-none-match": etag },
    ];
    for (const headers of insisting) {
      const response = await visitor.fetch(path, { headers: { ...headers, range: "bytes=0-1" } });
      expect([headers, response.status, await response.text()]).toEqual([headers, 412, ""]);
    }
    expect((await visitor.fetch(path, { headers: { "if-match": etag } })).status).toBe(200);
  });

  it("304 and 412 have the validators but no headers that describe a body", async () => {
    for (const [name, value] of [
      ["if-none-match", etag],
      ["if-match", '"another"'],
    ] as const) {
      const headers = { [name]: value };
      const answer = await visitor.fetch(path, { headers });
      expect(answer.headers.get("etag")).toBe(etag);
      expect(answer.headers.get("last-modified")).toBe(modified);
      expect(answer.headers.get("cache-control")).toBe("private, no-store, no-transform");
      for (const absent of ["content-disposition", "content-range", "accept-ranges"]) {
        expect(answer.headers.get(absent)).toBeNull();
      }
    }
  });
});

describe("a preview", () => {
  const previewOf = (downloadId: string, init: RequestInit = {}) =>
    visitor.fetch(`/api/files/download/${downloadId}/preview`, init);
  const sentAs = async (fileType: string, body: string | Uint8Array = BODY) =>
    (await sendFile(await signUp(), body, { filename: "a file", fileType })).downloadId;

  it.each([
    ["image/png", "image/png"],
    ["IMAGE/SVG+XML", "image/svg+xml"],
    ["video/quicktime", "video/mp4"],
    ["audio/x-wav", "audio/wav"],
    ["application/pdf", "application/pdf"],
    ["text/plain", "text/plain; charset=utf-8"],
    ["text/javascript; charset=utf-16", "text/plain; charset=utf-8"],
    ["application/json", "text/plain; charset=utf-8"],
  ])("a preview of %s is served as %s, and cannot run scripts [DL-7]", async (fileType, servedAs) => {
    const response = await previewOf(await sentAs(fileType));
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": servedAs,
      "content-disposition": expect.stringMatching(/^attachment;/) as string,
      "content-security-policy": "default-src 'none'; sandbox",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "private, no-store, no-transform",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "x-robots-tag": "noindex",
      "accept-ranges": "bytes",
      "content-length": "10",
    });
    expect(await response.text()).toBe(BODY);
  });

  it.each(["text/html", "Text/HTML; charset=utf-8", "application/xhtml+xml", "application/zip", "image/x-unheard-of"])(
    "there is no preview of %s: 415 with a clear message [DL-7]",
    async (fileType) => {
      const downloadId = await sentAs(fileType);
      const response = await previewOf(downloadId);
      expect(response.status).toBe(415);
      expect(await response.json()).toMatchObject({ code: "NO_PREVIEW", message: expect.any(String) as string });
      expect((await visitor.fetch(contentPath(downloadId), { method: "HEAD" })).status).toBe(200);
    },
  );

  it("a preview supports ranges and conditions", async () => {
    const downloadId = await sentAs("video/mp4");
    const part = await previewOf(downloadId, { headers: { range: "bytes=4-" } });
    expect([part.status, part.headers.get("content-range"), await part.text()]).toEqual([
      206,
      "bytes 4-9/10",
      "456789",
    ]);
    const tag = part.headers.get("etag") ?? "";
    expect((await previewOf(downloadId, { headers: { "if-none-match": tag } })).status).toBe(304);
    expect((await previewOf(downloadId, { headers: { range: "bytes=10-" } })).status).toBe(416);
  });

  it("a preview of a long text is limited to its first megabyte, also with a range", async () => {
    const body = patternBytes(MIB + 10);
    const downloadId = await sentAs("text/plain", body);
    const whole = await previewOf(downloadId);
    expect(whole.headers.get("content-length")).toBe(String(MIB));
    expect(await sha256Of(await whole.arrayBuffer())).toBe(await sha256Of(body.slice(0, MIB)));
    expect((await previewOf(downloadId, { headers: { range: `bytes=${MIB}-` } })).status).toBe(416);
    const end = await previewOf(downloadId, { headers: { range: "bytes=-3" } });
    expect(end.headers.get("content-range")).toBe(`bytes ${MIB - 3}-${MIB - 1}/${MIB}`);
    expect(new Uint8Array(await end.arrayBuffer())).toEqual(body.subarray(MIB - 3, MIB));
  });
});

it("a download does not reveal the object's key or the bucket's name", async () => {
  const response = await visitor.fetch(path);
  const text = JSON.stringify([...response.headers]) + (await response.text());
  expect(text).not.toContain("files/");
  expect(text).not.toContain(env.S3_BUCKET);
});
