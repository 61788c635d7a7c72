import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { formatPick } from "#domain/transfers/selection.ts";
import { createRequestContext, type RequestContext } from "#worker/context.ts";
import { serveContent } from "#worker/downloads/download-content.ts";
import { serveEntry, serveEntryPreview } from "#worker/downloads/entries.ts";
import { downloadsCounted } from "../support/downloads.ts";
import { finishTransfer, sendObjects, type SentTransfer } from "../support/packed-transfers.ts";
import { MODIFIED_MS, textFile, type TransferFile } from "../support/transfers.ts";
import { patternBytes, rowOf, signUp, type Client } from "../support/worker.ts";

const FILES: TransferFile[] = [
  textFile("trip/notes.txt", "0123456789"),
  { path: "trip/photo.png", bytes: patternBytes(600_000), modifiedMs: MODIFIED_MS },
  textFile("trip/empty.txt", ""),
];
const OBJECTS = [[1], [0]];

let person: Client;

beforeAll(async () => {
  person = await signUp();
});

async function ready(): Promise<SentTransfer> {
  const sent = await sendObjects(person, FILES, OBJECTS, { title: "Our trip" });
  await finishTransfer(person, sent);
  return sent;
}

describe("counting a transfer's downloads", () => {
  type Serve = (context: RequestContext) => Promise<Response>;

  /** Waits for the work that runs after the answer, such as counting. */
  async function read(
    headers: Record<string, string>,
    serve: Serve,
    consume: (response: Response) => Promise<unknown> = (response) => response.arrayBuffer(),
    method = "GET",
  ): Promise<number> {
    const background: Promise<unknown>[] = [];
    const context = createRequestContext(new Request(env.APP_ORIGIN, { headers, method }), env);
    const services = { ...context.services, waitUntil: (work: Promise<unknown>) => void background.push(work) };
    const response = await serve({ ...context, services });
    await consume(response);
    await Promise.all(background);
    return response.status;
  }

  async function countsOf({ uploadId }: SentTransfer): Promise<{ transfer: number; entries: unknown[] }> {
    await downloadsCounted();
    const { n } = await rowOf<{ n: number }>("select download_count as n from files where id = ?", uploadId);
    const { results } = await env.DB.prepare("select n, count from entry_downloads where file_id = ? order by n")
      .bind(uploadId)
      .all();
    return { transfer: n, entries: results.map((row) => [row.n, row.count]) };
  }

  const zipOf =
    ({ downloadId }: SentTransfer, query = {}): Serve =>
    (context) =>
      serveContent(context, downloadId, Date.now(), query);

  async function breakOff(response: Response): Promise<void> {
    const body: ReadableStream<Uint8Array> | null = response.body;
    const reader = body?.getReader();
    await reader?.read();
    await reader?.cancel();
  }

  it("the ZIP counts once when its last byte was sent, also in a response that goes on [TRF-20]", async () => {
    const sent = await ready();
    await read({}, zipOf(sent), breakOff);
    expect(await countsOf(sent)).toEqual({ transfer: 0, entries: [] });
    expect(await read({ range: "bytes=400000-" }, zipOf(sent))).toBe(206);
    expect(await countsOf(sent)).toEqual({ transfer: 1, entries: [] });
    expect(await read({}, zipOf(sent))).toBe(200);
    expect(await countsOf(sent)).toEqual({ transfer: 2, entries: [] });
  });

  it("a selection counts as one download of the transfer", async () => {
    const sent = await ready();
    await read({}, zipOf(sent, { pick: formatPick([0, 1]) }));
    expect(await countsOf(sent)).toEqual({ transfer: 1, entries: [] });
  });

  it("does not count the directory alone, a beginning, HEAD, or what the reader has already [TRF-20]", async () => {
    const sent = await ready();
    const { etag, zip_size } = await rowOf<{ etag: string; zip_size: number }>(
      "select * from files where id = ?",
      sent.uploadId,
    );
    const directoryBytes = FILES.reduce((sum, { path }) => sum + 46 + 9 + path.length, 22);
    expect(await read({ range: "bytes=-22" }, zipOf(sent))).toBe(206);
    expect(await read({ range: `bytes=${zip_size - directoryBytes}-` }, zipOf(sent))).toBe(206);
    expect(await read({ range: `bytes=0-${zip_size - 2}` }, zipOf(sent))).toBe(206);
    expect(await read({ "if-none-match": `"${etag}"` }, zipOf(sent))).toBe(304);
    expect(await read({}, zipOf(sent), undefined, "HEAD")).toBe(200);
    expect(await countsOf(sent)).toEqual({ transfer: 0, entries: [] });
    expect(await read({ range: `bytes=${zip_size - directoryBytes - 1}-` }, zipOf(sent))).toBe(206);
    expect(await countsOf(sent)).toEqual({ transfer: 1, entries: [] });
  });

  it("a file by itself counts for it and for the transfer, and its preview does not [TRF-20]", async () => {
    const sent = await ready();
    const entry =
      (n: number, serve = serveEntry): Serve =>
      (context) =>
        serve(context, { downloadId: sent.downloadId, n }, Date.now());
    await read({}, entry(0));
    await read({ range: "bytes=5-" }, entry(0));
    await read({}, entry(2));
    await read({}, entry(0, serveEntryPreview));
    await read({ range: "bytes=0-8" }, entry(0));
    await read({}, entry(1), breakOff);
    await read({}, entry(1), undefined, "HEAD");
    expect(await countsOf(sent)).toEqual({
      transfer: 3,
      entries: [
        [0, 2],
        [2, 1],
      ],
    });
  });
});
