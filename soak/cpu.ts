import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { MAX_CHUNK_BYTES, MAX_REQUEST_BYTES, PROXIED_PART_BYTES } from "#domain/parts.ts";
import { PLANS } from "#domain/plans.ts";
import { MIB, SECOND_MS } from "#domain/units.ts";
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

/** What a request may compute where nothing else is configured (Workers platform limit). */
const DEFAULT_LIMIT_MS = 30 * SECOND_MS;
const LARGEST_FILE_BYTES = Math.max(...PLANS.map(({ limits }) => limits.fileSizeBytes));

type Send = (client: Client, file: SoakFile) => Promise<{ downloadId: string }>;

/** The roads on which bytes pass the Worker, and the most that one request brings. */
const ROADS: { what: string; mostBytes: number; send: Send }[] = [
  {
    what: "a part through the Worker",
    mostBytes: PROXIED_PART_BYTES,
    send: (client, file) => new PartsUpload(client, file, "relayed", false).run(),
  },
  { what: "a form", mostBytes: MAX_REQUEST_BYTES, send: sendAsForm },
  { what: "a chunk", mostBytes: MAX_CHUNK_BYTES, send: (client, file) => new ChunksUpload(client, file).run() },
];

export interface Computed {
  what: string;
  /** What the largest request of its kind computes at most, milliseconds. */
  cpuMs: number;
  limitMs: number;
}

/**
 * What the largest request of each road makes our code compute, beside the platform's limit. A whole upload is measured,
 * its start and its end with it, and all of it is laid on its bytes, so a request is never told to be cheaper than it is.
 * @param sizeBytes of the files that are measured; more than one presigned PUT takes
 */
export async function proveCpu(sizeBytes: number): Promise<Computed[]> {
  const server = await prepareServer();
  try {
    await server.start();
    const client = new Client(server.origin, await createAccount(server));
    const profiler = await Profiler.connect(server.debuggerUrl);
    const computed: Computed[] = [];
    const note = (what: string, busyMs: number, mostBytes: number) => {
      computed.push({ what, cpuMs: (busyMs / sizeBytes) * mostBytes, limitMs: DEFAULT_LIMIT_MS });
    };
    let content = "";
    for (const { what, mostBytes, send } of ROADS) {
      const file = { name: `${what}.bin`, bytes: seededBytes(what, sizeBytes) };
      const busyMs = await profiler.busyMs(async () => {
        content = `${server.origin}/api/files/download/${(await send(client, file)).downloadId}/content`;
      });
      note(what, busyMs, mostBytes);
    }
    note("a download of the largest file", await profiler.busyMs(() => discard(content)), LARGEST_FILE_BYTES);
    profiler.close();
    return [...computed, { what: "the hash of the largest file", cpuMs: hashMs(), limitMs: configuredLimitMs() }];
  } finally {
    await server.stop();
  }
}

/** A file that came in chunks is hashed in one go, by the runtime's own code: as fast as this machine's. */
function hashMs(): number {
  const sample = new Uint8Array(256 * MIB);
  const { user } = process.cpuUsage();
  createHash("sha256").update(sample).digest();
  return ((process.cpuUsage().user - user) / 1000 / sample.byteLength) * LARGEST_FILE_BYTES;
}

function configuredLimitMs(): number {
  return Number(/^cpu_ms = ([\d_]+)$/m.exec(readFileSync("wrangler.toml", "utf8"))?.[1]?.replaceAll("_", ""));
}
