/** A range of bytes. `to` is exclusive. */
interface ByteRange {
  from: number;
  to: number;
}

/**
 * Reads a `Range` header with one range, as media players send it.
 * @param header `bytes=A-B`, `bytes=A-` or `bytes=-N`; others are ignored, as RFC 9110 allows
 * @returns null for the whole file
 */
export function readRange(header: string | null, sizeBytes: number): ByteRange | "unsatisfiable" | null {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (first === "" && last === "") return null;
  const from = first === "" ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  const to = first === "" || last === "" ? sizeBytes : Math.min(Number(last) + 1, sizeBytes);
  return from < to ? { from, to } : "unsatisfiable";
}

/** Cuts a range to `maxBytes`. Media players request the rest. */
export function answerRange(
  range: ByteRange | null,
  sizeBytes: number,
  maxBytes: number,
): ByteRange & { status: 200 | 206 } {
  if (range === null) return { status: 200, from: 0, to: sizeBytes };
  return { status: 206, from: range.from, to: Math.min(range.to, range.from + maxBytes) };
}
