// @module-tag long
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, expect, it, vi } from "vitest";
import { planParts, partRange } from "#domain/parts.ts";
import { DAY_MS, KIB, MIB } from "#domain/units.ts";
import type { CompletedObjectPart, StartTransferAnswer } from "#domain/wire.ts";
import { chunksOf, finalize, init, put } from "#test/support/chunked.ts";
import { measureRowsOf } from "#test/support/copied-rows.ts";
import { createMeteredEnv } from "#test/support/metered-env.ts";
import { interceptQueries } from "#test/support/query-interceptor.ts";
import { Recipient } from "#test/support/recipient.ts";
import { createRequest, Sender } from "#test/support/requests.ts";
import { sendSealed } from "#test/support/sealed-uploads.ts";
import {
  announcementOf,
  batch,
  finish,
  join,
  putObject,
  sendTransfer,
  startTransfer,
  textFile,
  totalsOf,
} from "#test/support/transfers.ts";
import { BYTES, create, tusOf } from "#test/support/tus.ts";
import { makeKey, Program } from "#test/support/v1.ts";
import {
  Client,
  contentPath,
  patternBytes,
  putOnPlan,
  rowOf,
  runSql,
  sendFile,
  signUp,
  type SentFile,
} from "#test/support/worker.ts";
import worker from "#worker/index.ts";
import { servicesFor } from "#worker/services.ts";
import { sweep } from "#worker/sweep/sweep.ts";
import { meanOf, scaleOf, type StatementUse } from "../../bench/scale/model.ts";
import {
  DOWNLOAD_SHARES,
  SITE,
  UPLOAD_SHARES,
  type DownloadKind,
  type MeasuredUse,
  type UploadKind,
} from "../../bench/scale/site.ts";

type IncomingRequest = Request<unknown, IncomingRequestCfProperties>;

/** The Worker, with its use of D1 counted, also that of its Durable Objects. */
const counted = createMeteredEnv();
let statements = 0;
counted.env.DB = interceptQueries(counted.env.DB, (queries, proceed) => {
  statements += queries.length;
  return proceed();
});
counted.env.RATE_LIMITS = "off";
const contexts: ExecutionContext[] = [];
const send = (request: Request) => {
  const context = createExecutionContext();
  contexts.push(context);
  return worker.fetch(request as IncomingRequest, counted.env, context);
};

afterAll(() => {
  vi.restoreAllMocks();
});

async function useOf<Result>(step: () => Promise<Result>): Promise<StatementUse & { result: Result }> {
  counted.takeUsage();
  statements = 0;
  const result = await step();
  while (contexts.length > 0) await Promise.all(contexts.splice(0).map(waitOnExecutionContext));
  const { rowRead = 0, rowWritten = 0 } = counted.takeUsage();
  return { result, statements, rowsRead: rowRead, rowsWritten: rowWritten };
}

async function requireOk(answer: Promise<Response>): Promise<Response> {
  const response = await answer;
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response;
}

/** Announced 500 at a time, each 500 in a pack. */
async function sendMany(person: Client, count: number): Promise<SentFile> {
  const files = Array.from({ length: count }, (_, n) => textFile(`folder ${Math.floor(n / 100)}/file ${n}.txt`));
  const receipts: CompletedObjectPart[] = [];
  let link: SentFile | null = null;
  for (let from = 0; from < count; from += 500) {
    const pack = files.slice(from, from + 500);
    const object = from / 500;
    const said = { entries: { from, list: pack.map(announcementOf) }, open: [{ object, runs: [[from, pack.length]] }] };
    const opened = link
      ? await batch(person, link.downloadId, { ...said, receipts: receipts.splice(0) })
      : await startTransfer(person, [], { totals: totalsOf(files), ...said });
    if ("uploadId" in opened) link = opened as StartTransferAnswer;
    receipts.push(...(await putObject(opened, object, join(pack.map(({ bytes }) => bytes)))));
  }
  if (!link) throw new Error("nothing was sent");
  await requireOk(finish(person, link.downloadId, receipts));
  return link;
}

async function sendInParts(person: Client): Promise<SentFile> {
  const bytes = patternBytes(17 * MIB);
  const upload = await person.startUpload(bytes.byteLength);
  for (let part = 1; part <= planParts(bytes.byteLength).partCount; part += 1) {
    const { start, end } = partRange(bytes.byteLength, part);
    const path = `/api/direct-upload/parts/${upload.downloadId}/${part}?crc32=0a0b0c0d`;
    const headers = { "content-length": String(end - start) };
    await requireOk(person.fetch(path, { method: "PUT", headers, body: bytes.slice(start, end) }));
  }
  await requireOk(person.complete(upload.downloadId));
  return upload;
}

async function sendInChunks(person: Client): Promise<SentFile> {
  const bytes = patternBytes(3 * 256 * KIB);
  const upload = await init(person, bytes.byteLength);
  for (const [index, chunk] of chunksOf(bytes, upload.chunkSize).entries()) {
    await requireOk(put(person, upload.uploadId, index, chunk));
  }
  await requireOk(finalize(person, upload.uploadId));
  return upload;
}

/** Its end runs after the answer, and is not counted. */
async function sendByTus(program: Program): Promise<SentFile> {
  const { id, downloadId } = await tusOf(create(program, 5, BYTES, "bytes"));
  const statusOf = () => rowOf<{ status: string }>("select status from files where id = ?", id);
  await vi.waitUntil(async () => (await statusOf()).status === "ready", { timeout: 30_000 });
  return { uploadId: id, downloadId };
}

it("one database carries the uploads and downloads of a large site [GROW-5]", { timeout: 1_200_000 }, async () => {
  const owner = await signUp();
  await putOnPlan(owner.email, "ultimate");
  const person = new Client(owner.cookie, send);
  const { key } = await makeKey(owner);
  const program = new Program(key, send);
  const request = await createRequest(owner);
  const ten = Array.from({ length: 10 }, (_, n) => textFile(`folder/file ${n}.txt`));

  const ways: Record<UploadKind, { send(): Promise<SentFile>; copies: number }> = {
    "one small file": { send: () => sendFile(person, "bytes"), copies: 300 },
    "one file in parts": { send: () => sendInParts(person), copies: 300 },
    "in chunks": { send: () => sendInChunks(person), copies: 300 },
    "by tus": { send: () => sendByTus(program), copies: 300 },
    "10 files": { send: () => sendTransfer(person, ten), copies: 300 },
    "10,000 files": { send: () => sendMany(person, 10_000), copies: 5 },
    encrypted: { send: () => sendSealed(person), copies: 300 },
    "through a request": { send: () => new Sender(request, send).send(ten), copies: 300 },
  };
  const uploads: Partial<MeasuredUse["uploads"]> = {};
  // What only the first upload of a day writes.
  await useOf(() => sendFile(person, "bytes"));
  for (const [kind, { send: sendOne, copies }] of Object.entries(ways) as [UploadKind, (typeof ways)[UploadKind]][]) {
    const { result: sent, ...use } = await useOf(sendOne);
    const whileLive = await measureRowsOf(sent, copies);
    await runSql("update files set expires_at = 1 where id = ?", sent.uploadId);
    await sweep(servicesFor(env), Date.now);
    const onceSwept = await measureRowsOf(sent, 300);
    await runSql("delete from files where id = ?", sent.uploadId);
    const logBytes = await measureRowsOf(sent, 300);
    uploads[kind] = { ...use, liveBytes: Math.max(0, whileLive - onceSwept), rowBytes: onceSwept - logBytes, logBytes };
  }

  const visitor = new Client("", send);
  const recipient = new Recipient(send);
  const file = await sendFile(person, "bytes");
  const limited = await sendFile(person, "bytes", { guards: { maxDownloads: 100 } });
  const zip = await sendTransfer(person, ten);
  const countOf = async ({ uploadId }: SentFile) =>
    (await rowOf<{ n: number }>("select download_count as n from files where id = ?", uploadId)).n;
  const downloads: Partial<MeasuredUse["downloads"]> = {};
  const takes: Record<DownloadKind, { link: SentFile; take(): Promise<unknown> }> = {
    "one file": { link: file, take: async () => (await visitor.fetch(contentPath(file.downloadId))).arrayBuffer() },
    "with a limit": {
      link: limited,
      take: async () => {
        await recipient.take(limited.downloadId);
        await (await recipient.content(limited.downloadId)).arrayBuffer();
      },
    },
    "a ZIP": { link: zip, take: async () => (await visitor.fetch(contentPath(zip.downloadId))).arrayBuffer() },
    "by /api/v1": {
      link: file,
      take: async () => {
        await program.answer(`/links/${file.downloadId}`);
        await (await visitor.fetch(contentPath(file.downloadId))).arrayBuffer();
      },
    },
  };
  for (const [kind, { link, take }] of Object.entries(takes) as [DownloadKind, (typeof takes)[DownloadKind]][]) {
    const takeAndWait = async () => {
      const before = await countOf(link);
      await take();
      await vi.waitUntil(async () => (await countOf(link)) > before, { timeout: 30_000 });
    };
    // The first of a link is noted for its owner.
    await takeAndWait();
    const rounds = 5;
    const {
      statements: all,
      rowsRead,
      rowsWritten,
    } = await useOf(async () => {
      for (let round = 0; round < rounds; round += 1) await takeAndWait();
    });
    downloads[kind] = { statements: all / rounds, rowsRead: rowsRead / rounds, rowsWritten: rowsWritten / rounds };
  }

  const measured = { uploads, downloads } as MeasuredUse;
  const { endedFileMs, uploadLogMs } = servicesFor(env).settings;
  const site = { ...SITE, endedFileDays: endedFileMs / DAY_MS, uploadLogDays: uploadLogMs / DAY_MS };
  console.log(`measured use ${JSON.stringify({ measured, site })}`);
  const figures = scaleOf(meanOf(measured.uploads, UPLOAD_SHARES), meanOf(measured.downloads, DOWNLOAD_SHARES), site);
  expect(figures.daysUntilFull).toBeNull();
  expect(figures.mostUploadsPerDay).toBeGreaterThan(100_000);
  expect(figures.mostDownloadsPerDay).toBeGreaterThan(1_000_000);
  expect(figures.statementsPerSecondAtPeak).toBeLessThan(1000);
});
