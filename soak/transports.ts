import { MIB } from "#domain/units.ts";
import { createAccount } from "../bench/support/account.ts";
import { prepareServer } from "../scripts/local-server.ts";
import { ChunksUpload } from "./chunks-upload.ts";
import { Client } from "./client.ts";
import { PartsUpload } from "./parts-upload.ts";
import { Seeded, seededBytes } from "./seeded.ts";
import { compare, inParallel, LossError, type SoakFile } from "./soaked-upload.ts";
import { sendAsForm, sendInOnePut } from "./whole-uploads.ts";

type Send = (client: Client, file: SoakFile) => Promise<{ downloadId: string }>;

/** How a file goes up, and its smallest and largest size, bytes. What goes in parts is larger than 16 MiB; a form and chunks join parts of 8 MiB. */
const ROADS: Record<string, { least: number; most: number; send: Send }> = {
  "one presigned PUT": { least: 0, most: 2 * MIB, send: sendInOnePut },
  "presigned parts": { least: 16 * MIB + 1, most: 18 * MIB, send: inParts("presigned") },
  "parts through the Worker": { least: 16 * MIB + 1, most: 18 * MIB, send: inParts("relayed") },
  "a form": { least: 0, most: 9 * MIB, send: sendAsForm },
  chunks: { least: 1, most: 9 * MIB, send: (client, file) => new ChunksUpload(client, file).run() },
};

const AT_ONCE = 3;

export interface RoadsProof {
  seed: number;
  /** How many files went up each road and came down as they were. */
  same: Map<string, number>;
  bytes: number;
  mismatches: string[];
}

/**
 * Sends files of any size up every road and compares what comes down, whole, with what was sent, by SHA-256.
 * @param count files
 */
export async function proveRoads(seed: number, count: number, log: (line: string) => void): Promise<RoadsProof> {
  const server = await prepareServer();
  try {
    await server.start();
    const client = new Client(server.origin, await createAccount(server));
    const names = Object.keys(ROADS);
    const result: RoadsProof = { seed, same: new Map(names.map((name) => [name, 0])), bytes: 0, mismatches: [] };
    const numbers = Array.from({ length: count }, (_, index) => index);
    await inParallel(numbers, AT_ONCE, async (number) => {
      const transport = names[number % names.length] ?? "";
      const { least, most, send } = ROADS[transport] ?? { least: 0, most: 0, send: sendInOnePut };
      const name = `${seed}-road-${number}.bin`;
      const file = { name, bytes: seededBytes(name, new Seeded(name).between(least, most)) };
      try {
        const finished = await send(client, file);
        await compare(client, file, { uploadId: "", ...finished });
        result.same.set(transport, (result.same.get(transport) ?? 0) + 1);
        result.bytes += file.bytes.byteLength;
      } catch (error) {
        if (!(error instanceof LossError)) throw error;
        result.mismatches.push(error.message);
      }
      if (number % 50 === 49) log(`${number + 1}/${count}; mismatches: ${result.mismatches.length}`);
    });
    return result;
  } finally {
    await server.stop();
  }
}

function inParts(transport: "presigned" | "relayed"): Send {
  return (client, file) => new PartsUpload(client, file, transport, false).run();
}
