import { MAX_CHUNK_BYTES, MAX_REQUEST_BYTES, SERVER_PART_BYTES } from "#domain/parts.ts";
import { PLANS } from "#domain/plans.ts";
import { MIB, SECOND_MS } from "#domain/units.ts";
import { HASH_BITE_BYTES, StoredSha256 } from "#worker/storage/sha256.ts";
import { createAccount } from "../bench/support/account.ts";
import { discard } from "../bench/support/http.ts";
import { Profiler } from "../bench/support/profiler.ts";
import { prepareServer } from "../scripts/local-server.ts";
import { ChunksUpload } from "./chunks-upload.ts";
import { Client } from "./client.ts";
import { PartsUpload } from "./parts-upload.ts";
import { seededBytes } from "./seeded.ts";
import type { SoakFile } from "./soaked-upload.ts";
import { sendAsForm } from "./whole-uploads.ts";

/** The default limit of a request's CPU time (Workers platform limit). */
const DEFAULT_LIMIT_MS = 30 * SECOND_MS;
const LARGEST_FILE_BYTES = Math.max(...PLANS.map(({ limits }) => limits.fileSizeBytes));

const HASH_PASSES = 256;

type Send = (client: Client, file: SoakFile) => Promise<{ downloadId: string }>;

/** The transports through the Worker, with the largest request of each. */
const TRANSPORTS: { what: string; maxRequestBytes: number; send: Send }[] = [
  {
    what: "a part through the Worker",
    maxRequestBytes: SERVER_PART_BYTES,
    send: (client, file) => new PartsUpload(client, file, "relayed", false).run(),
  },
  { what: "a form", maxRequestBytes: MAX_REQUEST_BYTES, send: sendAsForm },
  { what: "a chunk", maxRequestBytes: MAX_CHUNK_BYTES, send: (client, file) => new ChunksUpload(client, file).run() },
];

export interface Computed {
  what: string;
  /** An upper bound for the CPU time of the largest request, in milliseconds. */
  cpuMs: number;
  limitMs: number;
}

/**
 * Compares the CPU time of each transport's largest request with the platform's limit. Measures a whole upload, its
 * start and end included, and scales the time by bytes, so the result is an upper bound.
 * @param sizeBytes the size of the measured files, which must be too large for a single presigned PUT
 */
export async function proveCpu(sizeBytes: number): Promise<Computed[]> {
  const server = await prepareServer();
  try {
    await server.start();
    const client = new Client(server.origin, await createAccount(server));
    const profiler = await Profiler.connect(server.debuggerUrl);
    const computed: Computed[] = [];
    const addResult = (what: string, busyMs: number, maxRequestBytes: number) => {
      computed.push({ what, cpuMs: (busyMs / sizeBytes) * maxRequestBytes, limitMs: DEFAULT_LIMIT_MS });
    };
    let content = "";
    for (const { what, maxRequestBytes, send } of TRANSPORTS) {
      const file = { name: `${what}.bin`, bytes: seededBytes(what, sizeBytes) };
      const busyMs = await profiler.busyMs(async () => {
        content = `${server.origin}/api/files/download/${(await send(client, file)).downloadId}/content`;
      });
      addResult(what, busyMs, maxRequestBytes);
    }
    addResult("a download of the largest file", await profiler.busyMs(() => discard(content)), LARGEST_FILE_BYTES);
    profiler.close();
    return [...computed, { what: "a bite of a large file's hash", cpuMs: hashMs(), limitMs: DEFAULT_LIMIT_MS }];
  } finally {
    await server.stop();
  }
}

/** Estimates the CPU time of the hash that one alarm computes, at this machine's speed. */
function hashMs(): number {
  const sample = new Uint8Array(MIB);
  const hash = new StoredSha256();
  const { user } = process.cpuUsage();
  for (let pass = 0; pass < HASH_PASSES; pass += 1) hash.update(sample);
  return ((process.cpuUsage().user - user) / 1000 / (HASH_PASSES * MIB)) * HASH_BITE_BYTES;
}
