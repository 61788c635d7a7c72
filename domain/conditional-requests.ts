import { parseHttpDate } from "./http-date.ts";

export interface Validators {
  /** Strong and in quotes, as in the ETag header. */
  etag: string;
  /** Epoch milliseconds. */
  modifiedAt: number;
}

export type Precondition = "proceed" | "not-modified" | "failed";

/** Evaluates the conditional headers of a GET or HEAD in the order of RFC 9110 section 13.2.2. */
export function checkPreconditions(headers: Headers, validators: Validators): Precondition {
  const ifMatch = headers.get("if-match");
  const ifUnmodifiedSince = headers.get("if-unmodified-since");
  if (ifMatch !== null) {
    if (!listIncludes(ifMatch, validators.etag, "strong")) return "failed";
  } else if (ifUnmodifiedSince !== null && isModifiedSince(validators, ifUnmodifiedSince)) {
    return "failed";
  }
  const ifNoneMatch = headers.get("if-none-match");
  if (ifNoneMatch !== null) {
    return listIncludes(ifNoneMatch, validators.etag, "weak") ? "not-modified" : "proceed";
  }
  const ifModifiedSince = headers.get("if-modified-since");
  if (ifModifiedSince === null || parseHttpDate(ifModifiedSince) === null) return "proceed";
  return isModifiedSince(validators, ifModifiedSince) ? "proceed" : "not-modified";
}

/** A date counts as a strong validator: a finished file never changes (RFC 9110 sections 13.1.5 and 8.8.2.2). */
export function rangeApplies(ifRange: string | null, validators: Validators): boolean {
  if (ifRange === null) return true;
  const value = ifRange.trim();
  if (value.startsWith('"') || value.startsWith("W/")) return value === validators.etag;
  return parseHttpDate(value) === toSeconds(validators.modifiedAt);
}

function listIncludes(list: string, etag: string, comparison: "strong" | "weak"): boolean {
  if (list.trim() === "*") return true;
  const tags = list.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.some((tag) => (comparison === "weak" ? tag.replace(/^W\//, "") : tag) === etag);
}

/** An invalid date is ignored (RFC 9110 sections 13.1.3 and 13.1.4). */
function isModifiedSince(validators: Validators, date: string): boolean {
  const since = parseHttpDate(date);
  return since !== null && toSeconds(validators.modifiedAt) > since;
}

function toSeconds(epochMs: number): number {
  return Math.floor(epochMs / 1000) * 1000;
}
