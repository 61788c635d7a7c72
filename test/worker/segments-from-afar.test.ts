import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { MIB, SECOND_MS } from "#domain/units.ts";
import { clientFrom, withMethod } from "../support/worker-with-env.ts";
import { contentPath, patternBytes, runSql, sendFile, signUp, type Client, type SentFile } from "../support/worker.ts";

const AWAY_MS = 40;
const SEGMENTS = 36;
const SEGMENT_BYTES = Number(env.AFAR_FILE_BYTES);
const SIZE = SEGMENTS * SEGMENT_BYTES;
/** The rate of the reader's line, in bytes a millisecond: 400 Mbit/s, base 1000. */
const LINE_BYTES_PER_MS = 50_000;
const ROUNDS = SEGMENT_BYTES >= MIB ? 3 : 1;

/** Stores a file as objects of its row's layout. @param objects their keys, behind the file's id */
async function store(owner: Client, objects: string[], bytes: Uint8Array, layout: unknown): Promise<SentFile> {
  const sent = await sendFile(owner, "small");
  const key = `files/${sent.uploadId}`;
  await env.BUCKET.delete(key);
  for (const object of objects) await env.BUCKET.put(key + object, bytes);
  await runSql(
    "update files set size = ?, s3_key = ?, object_count = ?, layout = ? where id = ?",
    SIZE,
    layout === null ? key : `${key}/`,
    objects.length,
    layout === null ? null : JSON.stringify(layout),
    sent.uploadId,
  );
  return sent;
}

/** `npm run bench -- download` makes the segments larger, and reads the line that is logged. */
it("a file in segments asks for each segment once, and before the one before it has come [FOL-2]", async () => {
  const owner = await signUp();
  const names = Array.from({ length: SEGMENTS }, (_, segment) => `/${String(segment).padStart(5, "0")}`);
  const inSegments = await store(owner, names, patternBytes(SEGMENT_BYTES), [[SEGMENTS, SEGMENT_BYTES]]);
  const asOne = await store(owner, [""], new Uint8Array(SIZE), null);

  let receivedBytes = 0;
  let asked: { key: string; receivedBytes: number }[] = [];
  const get = async (key: string, options: R2GetOptions) => {
    asked.push({ key, receivedBytes });
    await scheduler.wait(AWAY_MS);
    return env.BUCKET.get(key, options);
  };
  const visitor = clientFrom("10.0.0.41", { ...env, BUCKET: withMethod(env.BUCKET, "get", get) });
  /** @returns milliseconds from the request to the last byte */
  const read = async ({ downloadId }: SentFile): Promise<number> => {
    receivedBytes = 0;
    asked = [];
    const startedMs = Date.now();
    const response = await visitor.fetch(contentPath(downloadId));
    const fromMs = Date.now();
    const write = async ({ byteLength }: Uint8Array) => {
      receivedBytes += byteLength;
      const earlyMs = fromMs + receivedBytes / LINE_BYTES_PER_MS - Date.now();
      if (earlyMs > 1) await scheduler.wait(earlyMs);
    };
    await response.body?.pipeTo(new WritableStream({ write }));
    expect(receivedBytes).toBe(SIZE);
    return Date.now() - startedMs;
  };

  const times: { segmentsMs: number; oneMs: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const oneMs = await read(asOne);
    times.push({ oneMs, segmentsMs: await read(inSegments) });
  }
  expect(asked.map(({ key }) => key)).toEqual(names.map((name) => `files/${inSegments.uploadId}${name}`));
  for (const [segment, { receivedBytes: before }] of asked.entries()) {
    expect(before).toBeLessThan(Math.max(1, segment) * SEGMENT_BYTES);
  }
  const middle = (of: "segmentsMs" | "oneMs") =>
    times.map((each) => each[of]).toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? NaN;
  const megabytes = (ms: number) => ((SIZE / MIB / ms) * SECOND_MS).toFixed(1);
  console.log(
    `measured segments: ${megabytes(middle("segmentsMs"))} MB/s, one object ${megabytes(middle("oneMs"))} MB/s`,
  );
});
