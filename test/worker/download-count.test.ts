import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createRequestContext } from "#worker/context.ts";
import { serveContent, servePreview } from "#worker/downloads/download-content.ts";
import { downloadsCounted } from "../support/downloads.ts";
import { Client, contentPath, rowOf, sendFile, signUp } from "../support/worker.ts";

/** Larger than all buffers together, so that an aborted download is noticed. */
const BODY = new Uint8Array(1024 * 1024).fill(65);

const TIMEOUT_MS = 60_000;

async function sent(body: string | Uint8Array = BODY): Promise<string> {
  return (await sendFile(await signUp(), body)).downloadId;
}

async function countOf(downloadId: string): Promise<number> {
  await downloadsCounted();
  return (await rowOf<{ n: number }>("select download_count as n from files where download_id = ?", downloadId)).n;
}

/** Downloads, and waits for the work that runs after the answer, such as counting. */
async function read(
  downloadId: string,
  init: RequestInit,
  consume: (response: Response) => Promise<unknown>,
  serve = serveContent,
): Promise<Response> {
  const background: Promise<unknown>[] = [];
  const request = new Request(new URL(contentPath(downloadId), env.APP_ORIGIN), init);
  const context = createRequestContext(request, env);
  const services = { ...context.services, waitUntil: (work: Promise<unknown>) => void background.push(work) };
  const response = await serve({ ...context, services }, downloadId, Date.now());
  await consume(response);
  await Promise.all(background);
  return response;
}

const readAll = (response: Response) => response.arrayBuffer();

async function readStartAndCancel(response: Response): Promise<void> {
  const body: ReadableStream<Uint8Array> | null = response.body;
  const reader = body?.getReader();
  expect((await reader?.read())?.value?.byteLength).toBeGreaterThan(0);
  await reader?.cancel();
}

describe("counting downloads", () => {
  it("a completed download over HTTP counts", async () => {
    const downloadId = await sent();
    await (await new Client().fetch(contentPath(downloadId))).arrayBuffer();
    await expect.poll(() => countOf(downloadId)).toBe(1);
  });

  it.each([
    ["the whole file", {}],
    ["a range that holds its last byte", { range: `bytes=${BODY.length - 1}-` }],
    ["a suffix", { range: "bytes=-10" }],
    ["a list of ranges, which brings all of it", { range: "bytes=0-1,5-6" }],
  ])("counts one download: %s", async (_what, headers) => {
    const downloadId = await sent();
    await read(downloadId, { headers }, readAll);
    expect(await countOf(downloadId)).toBe(1);
  });

  it("a download of an empty file counts", async () => {
    const downloadId = await sent("");
    await read(downloadId, {}, readAll);
    expect(await countOf(downloadId)).toBe(1);
  });

  it.each<[string, number, RequestInit]>([
    ["HEAD", 200, { method: "HEAD" }],
    ["a range without the last byte", 206, { headers: { range: `bytes=0-${BODY.length - 2}` } }],
    ["the first byte", 206, { headers: { range: "bytes=0-0" } }],
    ["a range outside", 416, { headers: { range: `bytes=${BODY.length}-` } }],
    ["what the reader has already", 304, { headers: { "if-none-match": "*" } }],
    ["what the reader will not have", 412, { headers: { "if-match": '"another"' } }],
  ])("does not count a download: %s (%i)", async (_what, status, init) => {
    const downloadId = await sent();
    expect((await read(downloadId, init, readAll)).status).toBe(status);
    expect(await countOf(downloadId)).toBe(0);
  });

  it.each([
    ["of the whole file", {}],
    ["of the file's last half", { range: `bytes=${BODY.length / 2}-` }],
  ])("a download that the client aborts does not count %s", async (_what, headers) => {
    const downloadId = await sent();
    await read(downloadId, { headers }, readStartAndCancel);
    expect(await countOf(downloadId)).toBe(0);
  });

  it(
    "200 parallel downloads count exactly 200, without the aborted ones [DEC-4]",
    { timeout: TIMEOUT_MS },
    async () => {
      const downloadId = await sent(BODY.subarray(0, 300_000));
      await Promise.all([
        ...Array.from({ length: 200 }, () => read(downloadId, {}, readAll)),
        ...Array.from({ length: 10 }, () => read(downloadId, {}, readStartAndCancel)),
      ]);
      expect(await countOf(downloadId)).toBe(200);
    },
  );

  it("a preview does not count as a download [DEC-4]", async () => {
    const downloadId = await sent("a short text");
    const reads: [RequestInit, number][] = [
      [{}, 200],
      [{ method: "HEAD" }, 200],
      [{ headers: { range: "bytes=0-" } }, 206],
      [{ headers: { range: "bytes=-1" } }, 206],
      [{ headers: { "if-none-match": "*" } }, 304],
    ];
    for (const [init, status] of reads) {
      expect((await read(downloadId, init, readAll, servePreview)).status).toBe(status);
    }
    expect(await countOf(downloadId)).toBe(0);
  });

  it("opening the download page does not count as a download", async () => {
    const downloadId = await sent("abc");
    for (let look = 0; look < 3; look += 1) await new Client().fetch(`/api/files/download/${downloadId}`);
    await read(downloadId, {}, readAll);
    expect(await countOf(downloadId)).toBe(1);
  });
});
