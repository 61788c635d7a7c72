import { containsNumber, type Runs } from "#domain/transfers/runs.ts";
import { MIB } from "#domain/units.ts";
import type { ListedEntry } from "#domain/wire.ts";
import type { ReadAnswer, ReadRequest } from "./read-messages.ts";
import type { TransferListEntry } from "./transfer-list.ts";

const BITE_BYTES = 8 * MIB;

/**
 * Compares stored files with those of this device that have another date. Copies often have one.
 * @param stored entries that can be downloaded @param read in the reading thread
 * @returns the numbers of those whose bytes are the same
 */
export async function findSameBytes(
  listed: readonly ListedEntry[],
  stored: Runs,
  list: readonly TransferListEntry[],
  read: (request: ReadRequest) => Promise<ReadAnswer>,
): Promise<Set<number>> {
  const local = new Map(list.map((entry) => [entry.path, entry]));
  const same = new Set<number>();
  for (const { n, path, size, modifiedAt, state, sha256 } of listed) {
    const { file = null, sizeBytes, modifiedMs } = local.get(path) ?? {};
    const isUnclear = sizeBytes === size && modifiedMs !== Date.parse(modifiedAt) && state !== "removed";
    if (!file || !isUnclear || sha256 === undefined || !containsNumber(stored, n)) continue;
    if ((await hash(file, keyOf(n), read)) === sha256) same.add(n);
  }
  return same;
}

/** Objects that are sent have numbers from 0 as keys. */
function keyOf(n: number): number {
  return -1 - n;
}

/** @returns null for a file that cannot be read */
async function hash(
  file: File,
  key: number,
  read: (request: ReadRequest) => Promise<ReadAnswer>,
): Promise<string | null> {
  for (let start = 0; start < file.size; start += BITE_BYTES) {
    const end = Math.min(start + BITE_BYTES, file.size);
    const { sha256, failures } = await read({ kind: "part", key, file, start, end });
    if (failures.length > 0) return null;
    if (sha256 !== null) return sha256;
  }
  return null;
}
