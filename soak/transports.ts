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

/**
 * Each transport, with the smallest and largest size in bytes. Only files above 16 MiB go in parts; the server makes
 * parts of 8 MiB of forms and chunks.
 */
const TRANSPORTS: Record<string, { minBytes: number; maxBytes: number; send: Send }> = {
  "one presigned PUT": { minBytes: 0, maxBytes: 2 * MIB, send: sendInOnePut },
  "presigned parts": { minBytes: 16 * MIB + 1, maxBytes: 18 * MIB, send: inParts("presigned") },
  "parts through the Worker": { minBytes: 16 * MIB + 1, maxBytes: 18 * MIB, send: inParts("relayed") },
  "a form": { minBytes: 0, maxBytes: 9 * MIB, send: sendAsForm },
  chunks: { minBytes: 1, maxBytes: 9 * MIB, send: (client, file) => new ChunksUpload(client, file).run() },
};

const AT_ONCE = 3;

export interface TransportsProof {
  seed: number;
  same: Map<string, number>;
  bytes: number;
  mismatches: string[];
}

/**
 * Uploads files of random sizes on every transport, downloads them, and compares their SHA-256.
 * @param count number of files
 */
export async function proveTransports(
  seed: number,
  count: number,
  log: (line: string) => void,
): Promise<TransportsProof> {
  const server = await prepareServer();
  try {
    await server.start();
    const client = new Client(server.origin, await createAccount(server));
    const names = Object.keys(TRANSPORTS);
    const result: TransportsProof = { seed, same: new Map(names.map((name) => [name, 0])), bytes: 0, mismatches: [] };
    const numbers = Array.from({ length: count }, (_, index) => index);
    await inParallel(numbers, AT_ONCE, async (number) => {
      const transport = names[number % names.length] ?? "";
      const { minBytes, maxBytes, send } = TRANSPORTS[transport] ?? { minBytes: 0, maxBytes: 0, send: sendInOnePut };
      const name = `${seed}-transport-${number}.bin`;
      const file = { name, bytes: seededBytes(name, new Seeded(name).between(minBytes, maxBytes)) };
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
