/** The stored file's validators. `etag` is strong and quoted, as it goes on the wire. */
export interface Validators {
  etag: string;
  /** Epoch milliseconds. */
  modifiedAt: number;
}

/** What the conditional headers of a GET or HEAD decide (RFC 9110 section 13.2.2). */
export type Precondition = "proceed" | "not-modified" | "failed";

/** Decides If-Match, If-Unmodified-Since, If-None-Match and If-Modified-Since, in the order of RFC 9110 section 13.2.2. */
export function checkPreconditions(headers: Headers, validators: Validators): Precondition {
  const ifMatch = headers.get("if-match");
  const ifUnmodifiedSince = headers.get("if-unmodified-since");
  if (ifMatch !== null) {
    if (!listNames(ifMatch, validators.etag, "strong")) return "failed";
  } else if (ifUnmodifiedSince !== null && isModifiedSince(validators, ifUnmodifiedSince)) {
    return "failed";
  }
  const ifNoneMatch = headers.get("if-none-match");
  if (ifNoneMatch !== null) {
    return listNames(ifNoneMatch, validators.etag, "weak") ? "not-modified" : "proceed";
  }
  const ifModifiedSince = headers.get("if-modified-since");
  if (ifModifiedSince === null || Number.isNaN(Date.parse(ifModifiedSince))) return "proceed";
  return isModifiedSince(validators, ifModifiedSince) ? "proceed" : "not-modified";
}

/**
 * Whether a Range header still applies: If-Range names this very file, by strong ETag or exact date
 * (RFC 9110 section 13.1.5). Without If-Range it does.
 */
export function rangeApplies(ifRange: string | null, validators: Validators): boolean {
  if (ifRange === null) return true;
  const value = ifRange.trim();
  if (value.startsWith('"') || value.startsWith("W/")) return value === validators.etag;
  return Date.parse(value) === toSeconds(validators.modifiedAt);
}

function listNames(list: string, etag: string, comparison: "strong" | "weak"): boolean {
  if (list.trim() === "*") return true;
  const tags = list.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.some((tag) => (comparison === "weak" ? tag.replace(/^W\//, "") : tag) === etag);
}

function isModifiedSince(validators: Validators, date: string): boolean {
  return toSeconds(validators.modifiedAt) > Date.parse(date);
}

function toSeconds(epochMs: number): number {
  return Math.floor(epochMs / 1000) * 1000;
}
