import type { Run, Runs } from "../transfers/runs.ts";
import { MIB } from "../units.ts";
import { entryAt, type ZipLayout } from "../zip.ts";

/** Whether the runs contain a whole range of bytes. An empty range is always covered. @param runs canonical */
export function covers(runs: Runs, [first, count]: Run): boolean {
  return count === 0 || runs.some(([from, length]) => from <= first && first + count <= from + length);
}

/**
 * The ranges that count as a download once they are covered: a file of the archive, or the whole archive. Only files
 * that the given range may complete are named: the first file that lies within the range, since a file's bytes are sent
 * in order, and the files that the range cuts at its ends.
 * @param range bytes of the archive
 * @returns at most four runs of the archive's bytes
 */
export function wholesInArchive(layout: ZipLayout, [first, count]: Run): Run[] {
  const end = first + count;
  const wholes: Run[] = [[0, layout.size]];
  for (let n = entryAt(layout, first); n < layout.entries.length; n += 1) {
    const file = bytesOfEntry(layout, n);
    const [from, length] = file;
    if (from + length > end) break;
    if (length === 0 || from + length <= first) continue;
    wholes.push(file);
    if (from >= first) break;
  }
  const last = count === 0 ? layout.entries.length : entryAt(layout, end - 1);
  if (last < layout.entries.length) {
    const [from, length] = bytesOfEntry(layout, last);
    if (from < end && from + length > end) wholes.push([from, length]);
  }
  return wholes;
}

function bytesOfEntry({ entries, starts, directoryStart }: ZipLayout, n: number): Run {
  const sizeBytes = entries[n]?.sizeBytes ?? 0;
  return [(starts[n + 1] ?? directoryStart) - sizeBytes, sizeBytes];
}

const LEAST_BYTES = MIB;
const MOST_BYTES = 64 * MIB;
/** Each stretch costs a read of storage. */
const MOST_STRETCHES = 200;

/**
 * Cuts a range of a link with a download limit into stretches, one read each, to know how much an interrupted reader
 * received.
 * @returns stretches of a sixteenth of `length` bytes, from 1 to 64 MiB, but at most 200; one stretch for no bytes
 */
export function cutIntoStretches(offset: number, length: number): { offset: number; length: number }[] {
  const sixteenth = Math.min(Math.max(Math.ceil(length / 16), LEAST_BYTES), MOST_BYTES);
  const size = Math.max(sixteenth, Math.ceil(length / MOST_STRETCHES));
  return Array.from({ length: Math.max(1, Math.ceil(length / size)) }, (_, index) => ({
    offset: offset + index * size,
    length: Math.min(size, length - index * size),
  }));
}
