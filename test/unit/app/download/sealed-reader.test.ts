import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { unzipSync } from "fflate";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fetchRecords } from "#app/features/download/sealed/reader/fetch-records.ts";
import { openSource, type PlacedFile, type Source } from "#app/features/download/sealed/reader/sources.ts";
import { concat, type Bytes } from "#domain/seal/keys.ts";
import { RECORD_BYTES } from "#domain/seal/sizes.ts";
import { MIB } from "#domain/units.ts";
import { newSender, plainBytes, sealStream, type Sender } from "#test/support/seal/sealed-files.ts";
import { headersOf, openStore, type SealedStore } from "./sealed-store.ts";

let store: SealedStore;
let sender: Sender;
const cleared: string[] = [];
const waits: string[] = [];

beforeEach(async () => {
  // Node has no events of its connection.
  vi.stubGlobal("addEventListener", () => undefined);
  vi.stubGlobal("removeEventListener", () => undefined);
  sender = await newSender();
  cleared.length = 0;
  waits.length = 0;
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await store.close();
});

const context = () => ({
  signal: new AbortController().signal,
  clear: (obstacle: string) => {
    cleared.push(obstacle);
    return Promise.resolve();
  },
  onWaiting: (awaited: string) => {
    waits.push(awaited);
  },
});

/** Serves these bodies, each list of which is one stream. */
async function place(...streams: Bytes[][]): Promise<PlacedFile[]> {
  const sealed = await Promise.all(
    streams.map(async (bodies, stream) => (await sealStream(sender.keys, stream, concat(...bodies))).sealed),
  );
  store = await openStore(sealed);
  return streams.flatMap((bodies, stream) => {
    const streamBytes = bodies.reduce((sum, { length }) => sum + length, 0);
    let at = 0;
    return bodies.map((body, index) => {
      const file = {
        name: `${stream}/${index}.bin`,
        size: body.length,
        mtime: Date.UTC(2026, 0, 31, 12),
        crc32: crc32(body).toString(16).padStart(8, "0"),
        at,
        stream,
        streamBytes,
        url: store.urlOf(stream),
        isFollowed: false,
      };
      at += body.length;
      return file;
    });
  });
}

const fileOf = (files: PlacedFile[]): Promise<Source> => openSource(sender.keys, { files, isArchive: false });

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

async function read(source: Source, from = 0, to = source.size): Promise<Bytes> {
  const pieces: Uint8Array[] = [];
  for await (const piece of source.read(from, to, context())) pieces.push(piece);
  return concat(...pieces);
}

it("asks for windows of 128 records, and gives back what was sealed", async () => {
  const body = plainBytes(70 * MIB);
  const source = await fileOf(await place([body]));
  expect(sha256(await read(source))).toBe(sha256(body));
  expect(store.asked).toEqual(["0 0-33554431", "0 33554432-67108863", "0 67108864-73408187"]);
});

it("reads any stretch, of a file behind others in its stream too", async () => {
  const bodies = [plainBytes(300_000, 1), plainBytes(0), plainBytes(700_000, 2)];
  const files = await place(bodies);
  const last = await fileOf(files.slice(2));
  expect(sha256(await read(last))).toBe(sha256(bodies[2] ?? new Uint8Array()));
  expect(await read(last, 224_231, 224_233)).toEqual(bodies[2]?.subarray(224_231, 224_233));
  // 524,231 and 524,232 of the stream are in records 1 and 2.
  expect(store.asked.at(-1)).toBe("0 262144-786431");
  store.asked.length = 0;
  expect(await read(await fileOf(files.slice(1)))).toEqual(new Uint8Array());
  expect(store.asked).toEqual([]);
});

it("checks the one record of an empty file", async () => {
  const files = await place([new Uint8Array()]);
  expect(await read(await fileOf(files))).toEqual(new Uint8Array());
  expect(store.asked).toEqual(["0 0-27"]);
});

it("goes on at a whole record after a broken answer and after a busy server [SEAL-33]", async () => {
  const body = plainBytes(4 * MIB);
  const files = await place([body]);
  store.troubles.push(
    (response, sealed, range) => {
      response.writeHead(206, headersOf(sealed, range));
      response.write(sealed.subarray(0, 5 * RECORD_BYTES + 100), () => response.destroy());
      return true;
    },
    (response) => {
      response.writeHead(503, { "retry-after": "0" }).end();
      return true;
    },
  );
  expect(sha256(await read(await fileOf(files)))).toBe(sha256(body));
  expect(store.asked).toHaveLength(3);
  const [, retried, last] = store.asked;
  expect(retried).toBe(last);
  expect(Number(/ (\d+)-/.exec(last ?? "")?.[1]) % RECORD_BYTES).toBe(0);
  expect(waits).toEqual(["line", "line"]);
});

it("goes on after an answer that ended early as if it were whole [SEAL-33]", async () => {
  const body = plainBytes(4 * MIB);
  const files = await place([body]);
  store.troubles.push((response, sealed, range) => {
    const { "content-range": contentRange } = headersOf(sealed, range);
    response.writeHead(206, { "content-range": contentRange }).end(sealed.subarray(0, 5 * RECORD_BYTES + 100));
    return true;
  });
  expect(sha256(await read(await fileOf(files)))).toBe(sha256(body));
  expect(store.asked).toEqual(["0 0-4194779", "0 1310720-4194779"]);
});

it("waits for a sender who has sent nothing yet, and goes on when the server ends an answer [SEAL-40]", async () => {
  const body = plainBytes(4 * MIB);
  const files = (await place([body])).map((file) => ({ ...file, isFollowed: true }));
  for (const code of ["UPLOAD_UNFINISHED", "TOO_MANY_FOLLOWERS"]) {
    store.troubles.push((response) => {
      response.writeHead(409, { "retry-after": "0" }).end(JSON.stringify({ code }));
      return true;
    });
  }
  store.troubles.push((response, sealed, range) => {
    response.writeHead(206, headersOf(sealed, range));
    response.write(sealed.subarray(0, 2 * RECORD_BYTES + 100), () => response.destroy());
    return true;
  });
  expect(sha256(await read(await fileOf(files)))).toBe(sha256(body));
  expect(store.asked).toEqual(["0 0-4194779", "0 0-4194779", "0 0-4194779", "0 524288-4194779"]);
  expect(waits).toEqual(["sender", "sender", "sender"]);
});

it("ends the answer that was asked for ahead when the one before breaks", async () => {
  const body = plainBytes(40 * MIB);
  const files = await place([body]);
  const ended = Promise.withResolvers<undefined>();
  const ahead = Promise.withResolvers<undefined>();
  store.troubles.push(
    (response, sealed, range) => {
      response.writeHead(206, headersOf(sealed, range));
      response.write(sealed.subarray(0, 30 * MIB), () => void ahead.promise.then(() => response.destroy()));
      return true;
    },
    (response, sealed, range) => {
      response.writeHead(206, headersOf(sealed, range)).write(sealed.subarray(range[0], range[0] + 10));
      response.on("close", () => {
        ended.resolve(undefined);
      });
      ahead.resolve(undefined);
      return true;
    },
    // The retry is answered when nothing else is open.
    (response, sealed, range) => {
      void ended.promise.then(() =>
        response.writeHead(206, headersOf(sealed, range)).end(sealed.subarray(range[0], range[1] + 1)),
      );
      return true;
    },
  );
  expect(sha256(await read(await fileOf(files)))).toBe(sha256(body));
});

it("has a locked link unlocked, and a lapsed download taken, and goes on", async () => {
  const body = plainBytes(MIB);
  const files = await place([body]);
  for (const [status, code] of [
    [401, "LINK_LOCKED"],
    [409, "LEASE_NEEDED"],
  ] as const) {
    store.troubles.push((response) => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ code }));
      return true;
    });
  }
  expect(sha256(await read(await fileOf(files)))).toBe(sha256(body));
  expect(cleared).toEqual(["locked", "lease"]);
});

it.each([
  ["gone", 404],
  ["gone", 410],
  ["damaged", 200],
  ["damaged", 416],
  ["refused", 403],
])("says %s after the answer %i", async (problem, status) => {
  const files = await place([plainBytes(10)]);
  store.troubles.push((response) => {
    response.writeHead(status).end();
    return true;
  });
  await expect(read(await fileOf(files))).rejects.toMatchObject({ problem });
});

it("calls a changed byte, and a stream of another size, damaged [SEAL-32]", async () => {
  const files = await place([plainBytes(600_000)]);
  store.troubles.push((response, sealed, range) => {
    const changed = sealed.slice();
    changed[300_000] = (changed[300_000] ?? 0) ^ 1;
    response.writeHead(206, headersOf(sealed, range)).end(changed);
    return true;
  });
  await expect(read(await fileOf(files))).rejects.toMatchObject({ problem: "damaged" });
  const url = files[0]?.url ?? "";
  const { signal } = new AbortController();
  await expect(fetchRecords(url, 600_001, 0, 1, signal)).rejects.toMatchObject({ problem: "damaged" });
});

it("makes a ZIP of files, large and small, of which any stretch can be read [SEAL-30]", async () => {
  const large = plainBytes(3 * MIB, 7);
  const small = Array.from({ length: 30 }, (_, index) => plainBytes(1000 + index, index));
  const files = await place([large], ...small.map((body) => [body]), [new Uint8Array()]);
  const source = await openSource(sender.keys, { files, isArchive: true });
  const zip = await read(source);
  expect(zip).toHaveLength(source.size);
  const opened = unzipSync(zip);
  expect(Object.keys(opened)).toHaveLength(32);
  expect(sha256(opened["0/0.bin"] ?? new Uint8Array())).toBe(sha256(large));
  expect(opened["30/0.bin"]).toEqual(small[29]);
  for (const [from, to] of [
    [0, 1],
    [3 * MIB - 5, 3 * MIB + 5000],
    [source.size - 100, source.size],
  ] as const)
    expect(await read(source, from, to)).toEqual(zip.slice(from, to));
});

it("makes no ZIP before the sums are known", async () => {
  const [file] = await place([plainBytes(10)]);
  const { crc32: _crc32, ...unsummed } = file ?? ({} as PlacedFile);
  await expect(openSource(sender.keys, { files: [unsummed], isArchive: true })).rejects.toThrow("CRC-32");
});
