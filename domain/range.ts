export type RangeRequest =
  { kind: "whole" } | { kind: "part"; offset: number; length: number } | { kind: "unsatisfiable" };

/** Several ranges, another unit or a malformed header yield the whole file (RFC 9110 section 14.2). */
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
  const available = Math.min(length, sizeBytes);
  return { kind: "part", offset: sizeBytes - available, length: available };
}
