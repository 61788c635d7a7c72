import { ApiError } from "./api-error.ts";

/** @returns the parts that a failed completion misses in storage; null for any other error */
export function missingParts(error: unknown): number[] | null {
  if (!(error instanceof ApiError) || error.body.code !== "UPLOAD_INCOMPLETE") return null;
  const { missing } = error.body;
  if (!Array.isArray(missing)) return null;
  const parts = missing.filter((part) => typeof part === "number");
  // A file in one piece has no part numbers: all of it is missing.
  return parts.length > 0 ? parts : [1];
}
