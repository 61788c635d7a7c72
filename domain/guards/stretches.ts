import { MIB } from "../units.ts";

const LEAST_BYTES = MIB;
const MOST_BYTES = 64 * MIB;
/** Each is a read of storage. */
const MOST_STRETCHES = 200;

/**
 * Cuts a range of a limited link into the reads that it is sent in. What a reader got who broke off is known by stretch.
 * @param length bytes
 * @returns a sixteenth of the range each, at least 1 and at most 64 MiB, but no more than 200; one for no bytes
 */
export function cutIntoStretches(offset: number, length: number): { offset: number; length: number }[] {
  const sixteenth = Math.min(Math.max(Math.ceil(length / 16), LEAST_BYTES), MOST_BYTES);
  const size = Math.max(sixteenth, Math.ceil(length / MOST_STRETCHES));
  return Array.from({ length: Math.max(1, Math.ceil(length / size)) }, (_, index) => ({
    offset: offset + index * size,
    length: Math.min(size, length - index * size),
  }));
}
