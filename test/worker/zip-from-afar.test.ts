import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { MIB, SECOND_MS } from "#domain/units.ts";
import { finishTransfer, sendObjects } from "../support/packed-transfers.ts";
import { MODIFIED_MS } from "../support/transfers.ts";
import { clientFrom, withMethod } from "../support/worker-with-env.ts";
import { contentPath, patternBytes, signUp } from "../support/worker.ts";

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- how generated Env types are extended
  namespace Cloudflare {
    interface Env {
      AFAR_FILE_BYTES: string;
    }
  }
}

const AWAY_MS = 40;
const PACKS = 6;
const FILES = 500;
const FILES_PER_PACK = Math.ceil(FILES / PACKS);
const FILE_BYTES = Number(env.AFAR_FILE_BYTES);

/** `npm run bench -- transfers` makes the files larger, and reads the line that is logged. */
it("a ZIP of 500 files reads each pack once, and asks for the next one before the last has come [TRF-32]", async () => {
  const bytes = patternBytes(FILE_BYTES);
  const files = Array.from({ length: FILES }, (_, n) => ({ path: `${n}.bin`, bytes, modifiedMs: MODIFIED_MS }));
  const packs = Array.from({ length: PACKS }, (_, object) =>
    [...files.keys()].slice(object * FILES_PER_PACK, (object + 1) * FILES_PER_PACK),
  );
  const person = await signUp();
  const sent = await sendObjects(person, files, packs);
  await finishTransfer(person, sent);

  let receivedBytes = 0;
  const asked: { key: string; receivedBytes: number }[] = [];
  const get = async (key: string, options: R2GetOptions) => {
    asked.push({ key, receivedBytes });
    await scheduler.wait(AWAY_MS);
    return env.BUCKET.get(key, options);
  };
  const visitor = clientFrom("10.0.0.40", { ...env, BUCKET: withMethod(env.BUCKET, "get", get) });
  const path = contentPath(sent.downloadId);
  const startedMs = Date.now();
  const response = await visitor.fetch(path);
  const count = (chunk: Uint8Array) => {
    receivedBytes += chunk.byteLength;
  };
  await response.body?.pipeTo(new WritableStream({ write: count }));
  const seconds = (Date.now() - startedMs) / SECOND_MS;

  expect(receivedBytes).toBe(Number(response.headers.get("content-length")));
  expect(asked.map(({ key }) => key)).toEqual(packs.map((_, object) => `files/${sent.uploadId}/0000${object}`));
  for (const [object, { receivedBytes: before }] of asked.entries()) {
    expect(before).toBeLessThan(Math.max(1, object) * FILES_PER_PACK * FILE_BYTES);
  }
  console.log(`measured zip: ${(receivedBytes / MIB / seconds).toFixed(0)} MB/s`);
});
