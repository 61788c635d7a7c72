import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createRequestContext } from "#worker/context.ts";
import { serveContent, servePreview } from "#worker/downloads/download-content.ts";
import { Client, contentPath, rowOf, sendFile, signUp } from "../support/worker.ts";

/** More than any buffer on the way holds, so that a reader who stops is noticed. */
const BODY = new Uint8Array(1024 * 1024).fill(65);

/** 60 MB take their time on a busy machine. */
const PATIENCE_MS = 60_000;

async function sent(body: string | Uint8Array = BODY): Promise<string> {
  return (await sendFile(await signUp(), body)).downloadId;
}

async function countOf(downloadId: string): Promise<number> {
  return (await rowOf<{ n: number }>("select download_count as n from files where download_id = ?", downloadId)).n;
}

/**
 * A read whose work after the answer can be waited for: only then is it sure that nothing will be counted any more.
 * @param take what the reader does with the answer
 */
async function read(
  downloadId: string,
  init: RequestInit,
  take: (response: Response) => Promise<unknown>,
  serve = serveContent,
): Promise<Response> {
  const afterwards: Promise<unknown>[] = [];
  const request = new Request(new URL(contentPath(downloadId), env.APP_ORIGIN), init);
  const context = createRequestContext(request, env);
  const services = { ...context.services, waitUntil: (work: Promise<unknown>) => void afterwards.push(work) };
  const response = await serve({ ...context, services }, downloadId, Date.now());
  await take(response);
  await Promise.all(afterwards);
  return response;
}

const toTheEnd = (response: Response) => response.arrayBuffer();

async function aLittle(response: Response): Promise<void> {
  const body: ReadableStream<Uint8Array> | null = response.body;
  const reader = body?.getReader();
  expect((await reader?.read())?.value?.byteLength).toBeGreaterThan(0);
  await reader?.cancel();
}

describe("a download", () => {
  it("counts over HTTP when all of it was taken", async () => {
    const downloadId = await sent();
    await (await new Client().fetch(contentPath(downloadId))).arrayBuffer();
    await expect.poll(() => countOf(downloadId)).toBe(1);
  });

  it.each([
    ["the whole file", {}],
    ["a range that holds its last byte", { range: `bytes=${BODY.length - 1}-` }],
    ["a suffix", { range: "bytes=-10" }],
    ["a list of ranges, which brings all of it", { range: "bytes=0-1,5-6" }],
  ])("counts once: %s", async (_what, headers) => {
    const downloadId = await sent();
    await read(downloadId, { headers }, toTheEnd);
    expect(await countOf(downloadId)).toBe(1);
  });

  it("of no bytes counts too", async () => {
    const downloadId = await sent("");
    await read(downloadId, {}, toTheEnd);
    expect(await countOf(downloadId)).toBe(1);
  });

  it.each<[string, number, RequestInit]>([
    ["HEAD", 200, { method: "HEAD" }],
    ["a range without the last byte", 206, { headers: { range: `bytes=0-${BODY.length - 2}` } }],
    ["the first byte", 206, { headers: { range: "bytes=0-0" } }],
    ["a range outside", 416, { headers: { range: `bytes=${BODY.length}-` } }],
    ["what the reader has already", 304, { headers: { "if-none-match": "*" } }],
    ["what the reader will not have", 412, { headers: { "if-match": '"another"' } }],
  ])("does not count: %s (%i)", async (_what, status, init) => {
    const downloadId = await sent();
    expect((await read(downloadId, init, toTheEnd)).status).toBe(status);
    expect(await countOf(downloadId)).toBe(0);
  });

  it.each([
    ["of the whole file", {}],
    ["of the file's last half", { range: `bytes=${BODY.length / 2}-` }],
  ])("does not count when the reader goes away in the middle %s", async (_what, headers) => {
    const downloadId = await sent();
    await read(downloadId, { headers }, aLittle);
    expect(await countOf(downloadId)).toBe(0);
  });

  it(
    "counts exactly 200 when 200 people take it at once, and those who give up do not count",
    { timeout: PATIENCE_MS },
    async () => {
      const downloadId = await sent(BODY.subarray(0, 300_000));
      await Promise.all([
        ...Array.from({ length: 200 }, () => read(downloadId, {}, toTheEnd)),
        ...Array.from({ length: 10 }, () => read(downloadId, {}, aLittle)),
      ]);
      expect(await countOf(downloadId)).toBe(200);
    },
  );

  it("does not count for a preview, however it is read", async () => {
    const downloadId = await sent("a short text");
    const reads: [RequestInit, number][] = [
      [{}, 200],
      [{ method: "HEAD" }, 200],
      [{ headers: { range: "bytes=0-" } }, 206],
      [{ headers: { range: "bytes=-1" } }, 206],
      [{ headers: { "if-none-match": "*" } }, 304],
    ];
    for (const [init, status] of reads) {
      expect((await read(downloadId, init, toTheEnd, servePreview)).status).toBe(status);
    }
    expect(await countOf(downloadId)).toBe(0);
  });

  it("does not count for a look at the link", async () => {
    const downloadId = await sent("abc");
    for (let look = 0; look < 3; look += 1) await new Client().fetch(`/api/files/download/${downloadId}`);
    await read(downloadId, {}, toTheEnd);
    expect(await countOf(downloadId)).toBe(1);
  });
});
