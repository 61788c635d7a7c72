// @module-tag long
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KIB, MIB } from "#domain/units.ts";
import { toNumbers } from "#domain/transfers/runs.ts";
import type { CompletedObjectPart, CompletedPart, StartUploadAnswer, TransferBatchAnswer } from "#domain/wire.ts";
import { FILM, FILM_PARTS, FILM_SIZE, openObject, type FilmTransfer } from "../support/film-transfers.ts";
import { batch, crc32Hex, finish, putObject, sendBatch, startTransfer, textFile } from "../support/transfers.ts";
import { Client, contentPath, patternBytes, rowOf, signUp, storePart } from "../support/worker.ts";

const SIZE = 64 * MIB + 100 * KIB;
const PART = 8 * MIB;
const PARTS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const BYTES = patternBytes(SIZE, 5);
const FILE = {
  filename: "film.mp4",
  fileType: "video/mp4",
  lastModified: 1_700_000_000_000,
  fingerprint: "b2".repeat(32),
};

const NOTE = textFile("note.txt");

const bytesOf = (part: number) => BYTES.slice((part - 1) * PART, part * PART);

type Step =
  /** A part is sent, and reported at once or with a later report. */
  | { do: "send"; part: number; isReported: boolean }
  /** Storage is said to have a part that it does not have. */
  | { do: "lie"; part: number }
  /** The sender starts the same file again. */
  | { do: "resume" }
  /** The upload's object is reset, as when the platform moves it. */
  | { do: "reset" }
  /** Somebody begins to follow. */
  | { do: "read"; from: number; length: number };

const part = fc.constantFrom(...PARTS);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("send" as const), part, isReported: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("lie" as const), part }) },
  { weight: 1, arbitrary: fc.constant({ do: "resume" as const }) },
  { weight: 1, arbitrary: fc.constant({ do: "reset" as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("read" as const),
      from: fc.integer({ min: 0, max: SIZE - 1 }),
      length: fc.integer({ min: 1, max: SIZE }),
    }),
  },
);

interface Reader {
  from: number;
  to: number;
  /** Null when the response broke off. */
  bytes: Promise<Uint8Array | null>;
}

class Walk {
  readonly #owner: Client;
  readonly #upload: StartUploadAnswer;
  readonly #unreported: CompletedPart[] = [];
  readonly #readers: Reader[] = [];

  constructor(owner: Client, upload: StartUploadAnswer) {
    this.#owner = owner;
    this.#upload = upload;
  }

  async take(step: Step): Promise<void> {
    if (step.do === "send") await this.#send(step.part, step.isReported);
    else if (step.do === "lie") await this.#report({ part: step.part, etag: "0".repeat(32) });
    else if (step.do === "resume")
      expect((await this.#owner.startUpload(SIZE, FILE)).uploadId).toBe(this.#upload.uploadId);
    else if (step.do === "reset") await this.#reset();
    else this.read(step.from, Math.min(step.from + step.length, SIZE));
  }

  /** @param to exclusive */
  read(from: number, to: number): void {
    const headers = { range: `bytes=${from}-${to - 1}` };
    const bytes = new Client()
      .fetch(`${contentPath(this.#upload.downloadId)}?follow=1`, { headers })
      .then(async (response) => (response.status === 206 ? new Uint8Array(await response.arrayBuffer()) : null))
      .catch(() => null);
    this.#readers.push({ from, to, bytes });
  }

  /** Sends what is missing until the upload is complete. */
  async complete(): Promise<void> {
    for (let tries = 0; tries < 20; tries += 1) {
      const { received } = await this.#report();
      for (const missing of PARTS.filter((part) => !received.includes(part))) await this.#send(missing, true);
      const response = await this.#owner.complete(this.#upload.downloadId);
      if (response.status === 200) return;
      expect(await response.json()).toMatchObject({ code: "UPLOAD_INCOMPLETE" });
    }
    throw new Error("the upload was never complete");
  }

  async cancel(): Promise<void> {
    const { downloadId } = this.#upload;
    expect((await this.#owner.post("/api/direct-upload/cancel", { downloadId })).status).toBe(200);
  }

  /** @returns how many readers have all of their bytes; fails if one has others */
  async ended(): Promise<number> {
    let whole = 0;
    for (const { from, to, bytes } of this.#readers) {
      const got = await bytes;
      if (got === null) continue;
      expect(got.byteLength).toBe(to - from);
      expect(got.every((byte, at) => byte === BYTES[from + at])).toBe(true);
      whole += 1;
    }
    return whole;
  }

  async #send(part: number, isReported: boolean): Promise<void> {
    const { uploadId } = this.#upload;
    const bytes = bytesOf(part);
    const stored = await storePart(uploadId, part, bytes).catch((error: unknown) => {
      // The part's segment may be closed.
      if (String(error).includes("no multipart upload takes part")) return null;
      throw error;
    });
    if (!stored) return;
    this.#unreported.push({ ...stored, crc32: crc32Hex(bytes) });
    if (isReported) await this.#report();
  }

  async #report(...more: CompletedPart[]): Promise<{ received: number[] }> {
    const { downloadId } = this.#upload;
    const receipts = [...this.#unreported.splice(0), ...more];
    const response = await this.#owner.post("/api/direct-upload/sign-parts", { downloadId, parts: [], receipts });
    expect(response.status).toBe(200);
    return response.json();
  }

  /** Resets the upload's object: whoever waits for an answer of it gets an error. */
  async #reset(): Promise<void> {
    const stub = env.UPLOADS.get(env.UPLOADS.idFromName(this.#upload.uploadId));
    await expect(runInDurableObject(stub, (_, state) => state.abort("reset"))).rejects.toThrow("reset");
  }
}

describe("whatever becomes of an upload that several people follow", () => {
  it.each([
    ["is completed", "complete"],
    ["is cancelled", "cancel"],
  ] as const)("and that %s: whoever has all of a range has the sender's bytes [FOL-15, FOL-17]", async (_how, end) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
        const owner = await signUp();
        const upload = await owner.startUpload(SIZE, FILE);
        const walk = new Walk(owner, upload);
        for (const next of steps) await walk.take(next);
        walk.read(0, SIZE);
        if (end === "complete") {
          await walk.complete();
          expect(await walk.ended()).toBe(steps.filter((taken) => taken.do === "read").length + 1);
        } else {
          await walk.cancel();
          await walk.ended();
          expect(await rowOf("select status from files where id = ?", upload.uploadId)).toEqual({
            status: "cancelled",
          });
          expect((await env.BUCKET.list({ prefix: `files/${upload.uploadId}` })).objects).toEqual([]);
        }
      }),
      { numRuns: 6, seed: 41 },
    );
  });
});

type EntryStep =
  | Step
  /** The sender gives up what it has sent of the file, and begins anew. */
  | { do: "drop" };

const entryStep: fc.Arbitrary<EntryStep> = fc.oneof(
  { weight: 8, arbitrary: step },
  { weight: 1, arbitrary: fc.constant({ do: "drop" as const }) },
);

/** A film behind a link with a note, whose sender does what the steps say. */
class EntryWalk {
  readonly #transfer: FilmTransfer & { uploadId: string };
  readonly #readers: Reader[] = [];
  #unreported: CompletedObjectPart[] = [];
  #object = 0;

  private constructor(transfer: FilmTransfer & { uploadId: string }) {
    this.#transfer = transfer;
  }

  static async start(): Promise<EntryWalk> {
    const owner = await signUp();
    const { uploadId, downloadId } = await startTransfer(owner, [FILM, NOTE]);
    const transfer = { owner, uploadId, downloadId };
    await openObject(transfer, 0, 0);
    return new EntryWalk(transfer);
  }

  async take(step: EntryStep): Promise<void> {
    if (step.do === "send") await this.#send(step.part, step.isReported);
    else if (step.do === "lie")
      await this.#report({ object: this.#object, part: step.part, etag: "0".repeat(32), crc32: "0000002a" });
    else if (step.do === "resume") await this.#report();
    else if (step.do === "reset") await this.#reset();
    else if (step.do === "drop") await this.#drop();
    else this.read(step.from, Math.min(step.from + step.length, FILM_SIZE));
  }

  /** @param to exclusive */
  read(from: number, to: number): void {
    const headers = { range: `bytes=${from}-${to - 1}` };
    const bytes = new Client()
      .fetch(`/api/files/download/${this.#transfer.downloadId}/entries/0/content?follow=1`, { headers })
      .then(async (response) => (response.status === 206 ? new Uint8Array(await response.arrayBuffer()) : null))
      .catch(() => null);
    this.#readers.push({ from, to, bytes });
  }

  /** Sends what is missing until the film is stored, and then the note. */
  async complete(): Promise<void> {
    const sendMissing = async () => {
      const { stored, received } = await this.#report();
      const has = toNumbers(received.find(({ object }) => object === this.#object)?.parts ?? []);
      const missing = stored.length > 0 ? [] : FILM_PARTS.filter((part) => !has.includes(part));
      for (const part of missing) await this.#send(part, true);
      return stored.length > 0;
    };
    await expect.poll(sendMissing, { timeout: 30_000 }).toBe(true);
    const { owner, downloadId } = this.#transfer;
    const note = this.#object + 1;
    const receipts = await putObject(await openObject(this.#transfer, note, 1), note, NOTE.bytes);
    expect((await finish(owner, downloadId, receipts)).status).toBe(200);
  }

  async cancel(): Promise<void> {
    const { owner, downloadId, uploadId } = this.#transfer;
    expect((await owner.post("/api/direct-upload/cancel", { downloadId })).status).toBe(200);
    await this.ended();
    expect((await env.BUCKET.list({ prefix: `files/${uploadId}` })).objects).toEqual([]);
  }

  /** @returns whether each reader has all of its bytes; fails if one has others than the sender's */
  async ended(): Promise<boolean[]> {
    const ended: boolean[] = [];
    for (const { from, to, bytes } of this.#readers) {
      const got = await bytes;
      if (got !== null) {
        expect(got.byteLength).toBe(to - from);
        expect(got.every((byte, at) => byte === FILM.bytes[from + at])).toBe(true);
      }
      ended.push(got !== null);
    }
    return ended;
  }

  async #send(part: number, isReported: boolean): Promise<void> {
    const { owner, downloadId } = this.#transfer;
    const signed = await batch(owner, downloadId, { sign: [{ object: this.#object, parts: [part] }] });
    // No URL: the part's segment may be closed.
    this.#unreported.push(...(await putObject(signed, this.#object, FILM.bytes)));
    if (isReported) await this.#report();
  }

  async #report(...more: CompletedObjectPart[]): Promise<TransferBatchAnswer> {
    const { owner, downloadId } = this.#transfer;
    const receipts = [...this.#unreported.splice(0), ...more];
    const answer = await batch(owner, downloadId, { receipts }).catch((error: unknown) => {
      // A lie about a part whose segment was not opened.
      if (String(error).includes("There is no part")) return batch(owner, downloadId);
      throw error;
    });
    // A lie whose sum is another than that of a part that can be read: the film is sent anew.
    if (answer.again.includes(this.#object)) await this.#reopen();
    return answer;
  }

  async #drop(): Promise<void> {
    const { owner, downloadId } = this.#transfer;
    const dropped = await sendBatch(owner, downloadId, { drop: [this.#object] });
    // All parts are there, so the object is joined already.
    if (dropped.status === 200) await this.#reopen();
    else expect(dropped.status).toBe(409);
  }

  async #reopen(): Promise<void> {
    this.#unreported = [];
    this.#object += 1;
    await openObject(this.#transfer, this.#object, 0);
  }

  async #reset(): Promise<void> {
    const stub = env.TRANSFERS.get(env.TRANSFERS.idFromName(this.#transfer.uploadId));
    await expect(runInDurableObject(stub, (_, state) => state.abort("reset"))).rejects.toThrow("reset");
  }
}

describe("whatever becomes of a large file of a transfer that several people follow", () => {
  it.each([
    ["is completed", "complete"],
    ["is cancelled", "cancel"],
  ] as const)("and that %s: whoever has all of a range has the sender's bytes [FOL-27, FOL-29]", async (_how, end) => {
    await fc.assert(
      fc.asyncProperty(fc.array(entryStep, { minLength: 4, maxLength: 16 }), async (steps) => {
        const walk = await EntryWalk.start();
        for (const next of steps) await walk.take(next);
        if (end === "cancel") {
          walk.read(0, FILM_SIZE);
          await walk.cancel();
          return;
        }
        // A last lie may still be found out, which cuts whoever reads.
        await walk.take({ do: "drop" });
        walk.read(1, FILM_SIZE);
        await walk.complete();
        expect((await walk.ended()).at(-1)).toBe(true);
      }),
      { numRuns: 6, seed: 42 },
    );
  });
});
