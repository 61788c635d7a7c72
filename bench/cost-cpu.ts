import { randomBytes } from "node:crypto";
import { DEFAULT_CHUNK_BYTES, PART_CONTENT_TYPE, SERVER_PART_BYTES } from "#domain/parts.ts";
import { KIB, MIB } from "#domain/units.ts";
import type { InitChunkedAnswer, StartUploadAnswer } from "#domain/wire.ts";
import type { Bench } from "./support/bench.ts";
import { Crowd } from "./support/crowd.ts";
import type { Call, Operation } from "./support/operations.ts";

/** The steps of `docs/cost.md` that pass bytes or hold a connection, and a run of the cron with nothing to do. */
export function costOperations(bench: Bench): Operation[] {
  const { server } = bench;
  const chunk = `${DEFAULT_CHUNK_BYTES / KIB} KB`;
  return [
    { what: "a part of 8 MB through the Worker", budgetMs: null, prepare: (count) => proxiedParts(bench, count) },
    {
      what: `a chunk of ${chunk}`,
      budgetMs: null,
      // With more chunks the file would be so large that it gets larger chunks.
      calls: 40,
      prepare: (count) => chunks(bench, DEFAULT_CHUNK_BYTES, count),
    },
    { what: "a chunk of 1 MB", budgetMs: null, prepare: (count) => chunks(bench, MIB, count) },
    { what: "a socket, opened and closed", budgetMs: null, prepare: (count) => sockets(bench, count) },
    {
      what: "the cron, nothing due",
      budgetMs: null,
      prepare: (count) => Promise.resolve(Array.from({ length: count }, () => () => server.runCron())),
    },
  ];
}

async function proxiedParts(bench: Bench, count: number): Promise<Call[]> {
  const bytes = randomBytes(SERVER_PART_BYTES);
  const announced = { filename: "parts.bin", fileType: "", fileSize: count * bytes.byteLength, expiration: "1d" };
  const { downloadId } = await bench.account.post<StartUploadAnswer>("/api/direct-upload/presigned-url", announced);
  return Array.from({ length: count }, (_, index) => () => {
    const headers = { "content-type": PART_CONTENT_TYPE };
    return send(bench, `/api/direct-upload/parts/${downloadId}/${index + 1}`, { method: "PUT", headers, body: bytes });
  });
}

async function chunks(bench: Bench, chunkBytes: number, count: number): Promise<Call[]> {
  const { uploadId, chunkSize } = await bench.account.post<InitChunkedAnswer>("/api/chunked-upload/init", {
    filename: "chunks.bin",
    totalSize: String(count * chunkBytes),
    totalChunks: String(count),
    expiration: "1d",
  });
  if (chunkSize !== chunkBytes) throw new Error(`chunks have ${chunkSize} bytes, not ${chunkBytes}`);
  const bytes = new Blob([randomBytes(chunkBytes)]);
  return Array.from({ length: count }, (_, index) => () => {
    const body = new FormData();
    body.set("chunk", bytes);
    body.set("uploadId", uploadId);
    body.set("chunkIndex", String(index));
    body.set("totalChunks", String(count));
    return send(bench, "/api/chunked-upload/chunk", { method: "POST", body });
  });
}

/** Each call opens a socket for a sender, and closes the socket that the call before opened. */
async function sockets({ account, server }: Bench, count: number): Promise<Call[]> {
  const announced = { filename: "sockets.bin", fileType: "", fileSize: 20 * MIB, expiration: "1d" };
  const { downloadId } = await account.post<StartUploadAnswer>("/api/direct-upload/presigned-url", announced);
  const crowd = new Crowd();
  const cookie = `${account.cookie.name}=${account.cookie.value}`;
  const guests = { origin: server.origin, downloadId, cookie, senders: 1, watchers: 0 };
  return Array.from({ length: count }, (_, index) => async () => {
    await crowd.connect(guests);
    if (index === count - 1) crowd.stop();
  });
}

async function send({ account, server }: Bench, path: string, init: RequestInit): Promise<void> {
  const headers = new Headers(init.headers);
  headers.set("cookie", `${account.cookie.name}=${account.cookie.value}`);
  const response = await fetch(server.origin + path, { ...init, headers });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}
