export interface Validators {
  /** A strong validator in quotes, as in the ETag header. */
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

/** If-Range with a date is a strong validator: a finished file never changes (RFC 9110 sections 13.1.5 and 8.8.2.2). */
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

export type RangeRequest =
  { kind: "whole" } | { kind: "part"; offset: number; length: number } | { kind: "unsatisfiable" };

/** @returns the whole file for several ranges, another unit or a malformed header (RFC 9110 section 14.2) */
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

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const LONG_DAY = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day";
const MONTH = `(?<month>${MONTHS.join("|")})`;
const TIME = "(?<hour>\\d{2}):(?<minute>\\d{2}):(?<second>\\d{2})";

/** The current date format and the two obsolete ones that recipients must accept (RFC 9110 section 5.6.7). */
const FORMS = [
  `${DAY}, (?<day>\\d{2}) ${MONTH} (?<year>\\d{4}) ${TIME} GMT`,
  `${LONG_DAY}, (?<day>\\d{2})-${MONTH}-(?<year>\\d{2}) ${TIME} GMT`,
  `${DAY} ${MONTH} (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})`,
].map((form) => new RegExp(`^${form}$`));

/** A two-digit year counts from 2000, because no file is older. */
const CENTURY = 2000;

/** @returns epoch milliseconds, or null. `Date.parse` accepts more formats, and reads `FORMS[2]` in local time. */
export function parseHttpDate(text: string): number | null {
  for (const form of FORMS) {
    const fields = form.exec(text.trim())?.groups;
    if (!fields) continue;
    const number = (name: string) => Number(fields[name]);
    const year = number("year") < 100 ? CENTURY + number("year") : number("year");
    const month = MONTHS.indexOf(fields.month ?? "");
    const at = Date.UTC(year, month, number("day"), number("hour"), number("minute"), number("second"));
    return new Date(at).getUTCDate() === number("day") ? at : null;
  }
  return null;
}
