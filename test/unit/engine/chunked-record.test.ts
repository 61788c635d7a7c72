import { expect, it } from "vitest";
import { uploadSummary, type InitChunkedAnswer } from "#domain/wire.ts";
import type { ChunkCalls } from "#engine/calls.ts";
import { ChunkedUpload } from "#engine/chunked-upload.ts";
import { TransportError } from "#engine/errors.ts";
import type { ChunkPorts } from "#engine/ports.ts";
import { NO_EVENTS, nodePorts } from "./node-ports.ts";

const CHUNK = 262_144;
const STARTED = { uploadId: "file", downloadId: "link", shareUrl: "/d/link", chunkSize: CHUNK, nextChunk: 0 };

/** Sends two chunks by default. @param more of the answer to the start @returns the upload, and what its calls have said */
function upload(postChunk: ChunkPorts["postChunk"], sizeBytes = CHUNK + 1, more: Partial<InitChunkedAnswer> = {}) {
  const said: [call: string, body: unknown][] = [];
  const note =
    (call: string) =>
    (...body: unknown[]) =>
      Promise.resolve(void said.push([call, body]));
  const calls: ChunkCalls = {
    ...nodePorts({ cancelUpload: note("cancel") }).calls,
    noteFailure: note("failed"),
    initChunked: () => Promise.resolve({ ...STARTED, ...more }),
    finalizeChunked: (body) => {
      said.push(["finalize", body]);
      return Promise.resolve({ downloadId: "link", shareUrl: "/d/link" });
    },
  };
  const file = new File([new Uint8Array(sizeBytes)], "a.bin");
  const options = { expiration: "1d", expirationChosen: false } as const;
  const sending = new ChunkedUpload({ ...nodePorts({}), calls, postChunk }, file, options, NO_EVENTS);
  return { sending, said };
}

const refused = (status: number) => new TransportError("chunks", "rejected", { message: "" }, status);

const SUMMARY = {
  transport: "chunks",
  seconds: expect.any(Number) as number,
  sentAgain: { network: 0, timeout: 0, rejected: 0, stalled: 0 },
};

it("an upload in chunks says how it went when it finishes [UP-27]", async () => {
  const { sending, said } = upload(() => Promise.resolve());
  await sending.run();
  expect(said).toMatchObject([["finalize", { uploadId: "file", summary: SUMMARY }]]);
  const [, body] = said[0] ?? expect.unreachable();
  expect(uploadSummary.safeParse((body as { summary: unknown }).summary).success).toBe(true);
});

it("an upload in chunks says how it went when it fails, with why its chunks were sent again", async () => {
  const { sending, said } = upload(() => Promise.reject(refused(404)));
  await expect(sending.run()).rejects.toThrow(TransportError);
  const sentAgain = { ...SUMMARY.sentAgain, rejected: 1 };
  expect(said).toMatchObject([["failed", ["link", { ...SUMMARY, sentAgain }]]]);
});

it("an upload in chunks says how it went when it is cancelled, once", async () => {
  const { sending, said } = upload(
    ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          reject(new DOMException("Upload aborted", "AbortError"));
        });
        sending.cancel();
      }),
  );
  await expect(sending.run()).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
  expect(said).toMatchObject([["cancel", ["link", SUMMARY]]]);
});

it("an upload in chunks whose stored part has other bytes by now is given up before a chunk is sent", async () => {
  const partSizeBytes = 8_388_608;
  const sums = [{ part: 1, crc32: "0badcafe" }];
  const sent: unknown[] = [];
  const takeChunk = () => Promise.resolve(void sent.push("a chunk"));
  const { sending, said } = upload(takeChunk, partSizeBytes + 1, { sums, partSizeBytes, nextChunk: 32 });
  await expect(sending.run()).rejects.toMatchObject({ problem: { code: "fileChanged" } });
  expect(sent).toEqual([]);
  expect(said).toContainEqual(["cancel", ["link"]]);
});
