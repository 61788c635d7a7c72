import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { MAX_PARTS_PER_SIGNING } from "#domain/parts.ts";
import { SEGMENTED_FROM_BYTES } from "#domain/segments.ts";
import { GIB, KIB, MIB } from "#domain/units.ts";
import type { SignPartsAnswer, StartUploadAnswer } from "#domain/wire.ts";
import { costOperations } from "./cost-cpu.ts";
import type { Bench } from "./support/bench.ts";
import { Crowd } from "./support/crowd.ts";
import { discard } from "./support/http.ts";
import { median, type Row } from "./support/measure.ts";
import { measureOperations, type Call, type Operation } from "./support/operations.ts";
import { Profiler } from "./support/profiler.ts";
import { sendByScript, uploadByScript } from "./support/script.ts";

const FOLLOW_ROUNDS = 3;
const FOLLOW_BUDGET_MS = 20;

/** The pause between two messages, which stays below the sender's limit of 10 messages a second. */
const MESSAGE_EVERY_MS = 125;

/**
 * CPU time of our code in the Worker and its Durable Objects, without the local emulation of D1 and R2, which runs in
 * the same process. The table shows limits in the floor's column.
 */
export async function measureCpu(bench: Bench): Promise<Row[]> {
  return [...(await measureOperations(bench, await operations(bench))), await following(bench)];
}

function repeated(call: Call) {
  return (count: number) => Promise.resolve(Array.from({ length: count }, () => call));
}

async function operations(bench: Bench): Promise<Operation[]> {
  const { account, server } = bench;
  const cookie = `${account.cookie.name}=${account.cookie.value}`;
  const page = (path: string, headers: Record<string, string> = {}) =>
    repeated(async () => {
      const response = await fetch(server.origin + path, { headers: { accept: "text/html", ...headers } });
      if (!response.ok) throw new Error(`${path} answered ${response.status}`);
      await response.text();
    });
  const small = await uploadByScript(account, randomBytes(100 * KIB));
  const large = await uploadByScript(account, randomBytes(GIB));
  const bytesOf = ({ downloadId }: StartUploadAnswer) =>
    repeated(() => discard(`${server.origin}/api/files/download/${downloadId}/content`));
  const pending = await start(bench, 2 * GIB);
  const sign = (count: number) =>
    repeated(async () => {
      const parts = Array.from({ length: count }, (_, index) => index + 1);
      const request = { downloadId: pending.downloadId, parts };
      const { urls } = await account.post<SignPartsAnswer>("/api/direct-upload/sign-parts", request);
      if (urls.length !== count) throw new Error(`${urls.length} URLs of ${count} came`);
    });
  return [
    { what: "an empty handler", budgetMs: null, prepare: page("/api/auth/me") },
    // Pages are measured before further uploads, so that the dashboard lists three files.
    { what: "the home page", budgetMs: null, prepare: page("/") },
    { what: "a download page", budgetMs: null, prepare: page(`/download/${small.downloadId}`) },
    { what: "the dashboard, three files", budgetMs: null, prepare: page("/dashboard", { cookie }) },
    { what: "a download of 1 GB, stored in parts", budgetMs: null, calls: 1, prepare: bytesOf(large) },
    { what: "a download of 100 KB", budgetMs: null, prepare: bytesOf(small) },
    { what: `signing ${MAX_PARTS_PER_SIGNING} part URLs`, budgetMs: 10, prepare: sign(MAX_PARTS_PER_SIGNING) },
    { what: "signing 1 part URL", budgetMs: null, prepare: sign(1) },
    { what: "the start of an upload in segments", budgetMs: 5, prepare: starts(bench, SEGMENTED_FROM_BYTES) },
    { what: "the start of an upload in one object", budgetMs: 5, prepare: starts(bench, SEGMENTED_FROM_BYTES - 1) },
    { what: "the completion of an upload in parts", budgetMs: 5, prepare: completions(bench, 20 * MIB) },
    { what: "the completion of a small upload", budgetMs: 5, prepare: completions(bench, 100 * KIB) },
    { what: "a message to one watcher", budgetMs: null, prepare: (count) => messages(bench, pending, count) },
    ...costOperations(bench),
  ];
}

function starts(bench: Bench, sizeBytes: number) {
  return repeated(() => start(bench, sizeBytes));
}

function start({ account }: Bench, fileSize: number): Promise<StartUploadAnswer> {
  const announced = { filename: "bench.bin", fileType: "", fileSize, expiration: "1d" };
  return account.post<StartUploadAnswer>("/api/direct-upload/presigned-url", announced);
}

/** Each call completes an upload whose bytes are stored. */
function completions({ account }: Bench, sizeBytes: number) {
  return async (count: number) => {
    const bytes = randomBytes(sizeBytes);
    const calls: Call[] = [];
    while (calls.length < count) calls.push((await sendByScript(account, bytes)).complete);
    return calls;
  };
}

/** What one reader who follows adds to an upload of 1 GB: the same upload with and without one, in turns. */
async function following({ account, server }: Bench): Promise<Row> {
  const bytes = randomBytes(GIB);
  const profiler = await Profiler.connect(server.debuggerUrl);
  const upload = async (isFollowed: boolean) => {
    let reading: Promise<unknown> = Promise.resolve();
    const { complete } = await sendByScript(account, bytes, {}, ({ downloadId }) => {
      const content = `${server.origin}/api/files/download/${downloadId}/content?follow=1`;
      if (isFollowed) reading = discard(content);
    });
    await complete();
    await reading;
  };
  const followed: number[] = [];
  const alone: number[] = [];
  for (let round = 0; round < FOLLOW_ROUNDS; round += 1) {
    alone.push(await profiler.busyMs(() => upload(false)));
    followed.push(await profiler.busyMs(() => upload(true)));
    await server.execute("delete from files");
  }
  profiler.close();
  const [withReader, without] = [median(followed), median(alone)];
  console.log(`CPU of an upload of 1 GB: ${without.toFixed(1)} ms, followed ${withReader.toFixed(1)} ms`);
  return { what: "CPU of following 1 GB", productMs: withReader - without, floorMs: FOLLOW_BUDGET_MS };
}

/** Each message is sent by the sender and received by one watcher. */
async function messages({ account, server }: Bench, { downloadId }: StartUploadAnswer, count: number): Promise<Call[]> {
  const crowd = new Crowd();
  const cookie = `${account.cookie.name}=${account.cookie.value}`;
  await crowd.connect({ origin: server.origin, downloadId, cookie, senders: 1, watchers: 1 });
  return Array.from({ length: count }, (_, index) => async () => {
    await crowd.sendMessages({ times: 1, everyMs: 0 });
    await wait(MESSAGE_EVERY_MS);
    if (index === count - 1) crowd.stop();
  });
}
