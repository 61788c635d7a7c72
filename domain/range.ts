/** What a Range header asks of a file: all of it, one stretch, or something it does not have. */
export type RangeRequest =
  { kind: "whole" } | { kind: "part"; offset: number; length: number } | { kind: "unsatisfiable" };

/**
 * Reads a Range header (RFC 9110 section 14). A list of ranges, another unit or a malformed header is
 * answered whole, which section 14.2 allows; a first byte beyond the end is unsatisfiable.
 * @param header the header's value, or null
 * @param sizeBytes the size of the whole file
 */
export function parseRange(header: string | null, sizeBytes: number): RangeRequest {
  const match = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? "");
  if (!match) return { kind: "whole" };
  const [, first = "", last = ""] = match;
  if (first === "" && last === "") return { kind: "whole" };
  if (first === "") return suffix(Number(last), sizeBytes);
  if (last !== "" && Number(last) < Number(first)) return { kind: "whole" };
  const offset = Number(first);
  if (offset >= sizeBytes) return { kind: "unsatisfiable" };
  const end = last === "" ? sizeBytes : Math.min(Number(last) + 1, sizeBytes);
  return { kind: "part", offset, length: end - offset };
}

function suffix(length: number, sizeBytes: number): RangeRequest {
  if (length === 0 || sizeBytes === 0) return { kind: "unsatisfiable" };
  const taken = Math.min(length, sizeBytes);
  return { kind: "part", offset: sizeBytes - taken, length: taken };
}
