import { describe, expect, it } from "vitest";
import { checkPreconditions, rangeApplies, type Precondition } from "#domain/http-semantics.ts";

const FILE = { etag: '"abc"', modifiedAt: Date.UTC(2026, 10, 21, 12, 0, 0, 999) };
const SAME = "Sat, 21 Nov 2026 12:00:00 GMT";
const BEFORE = "Sat, 21 Nov 2026 11:59:59 GMT";
const AFTER = "Sat, 21 Nov 2026 12:00:01 GMT";
/** The obsolete formats of RFC 9110 section 5.6.7. */
const SAME_RFC850 = "Saturday, 21-Nov-26 12:00:00 GMT";
const SAME_ASCTIME = "Sat Nov 21 12:00:00 2026";

function decide(headers: Record<string, string>): Precondition {
  return checkPreconditions(new Headers(headers), FILE);
}

/** RFC 9110 section 13.1; the order of section 13.2.2. */
describe("a conditional read", () => {
  it.each<[string, Record<string, string>, Precondition]>([
    ["nothing", {}, "proceed"],
    ["If-Match: this one", { "if-match": '"abc"' }, "proceed"],
    ["If-Match: this one among others", { "if-match": '"x", "abc","y"' }, "proceed"],
    ["If-Match: any", { "if-match": "*" }, "proceed"],
    ["If-Match: another", { "if-match": '"abcd"' }, "failed"],
    ["If-Match: this one, weakly, which is not strong enough", { "if-match": 'W/"abc"' }, "failed"],
    ["If-Match: unquoted", { "if-match": "abc" }, "failed"],
    ["If-Match: a tag with a comma in it", { "if-match": '"x,"abc' }, "failed"],
    ["If-Unmodified-Since: the same second", { "if-unmodified-since": SAME }, "proceed"],
    ["If-Unmodified-Since: a second later", { "if-unmodified-since": AFTER }, "proceed"],
    ["If-Unmodified-Since: a second before", { "if-unmodified-since": BEFORE }, "failed"],
    ["If-Unmodified-Since: no date", { "if-unmodified-since": "soon" }, "proceed"],
    ["If-Unmodified-Since: a date that HTTP does not write", { "if-unmodified-since": "2020-01-01" }, "proceed"],
    ["If-Match beats If-Unmodified-Since", { "if-match": '"abc"', "if-unmodified-since": BEFORE }, "proceed"],
    ["If-None-Match: this one", { "if-none-match": '"abc"' }, "not-modified"],
    ["If-None-Match: this one, weakly", { "if-none-match": 'W/"abc"' }, "not-modified"],
    ["If-None-Match: this one among others", { "if-none-match": 'W/"x", "abc"' }, "not-modified"],
    ["If-None-Match: any", { "if-none-match": "*" }, "not-modified"],
    ["If-None-Match: another", { "if-none-match": '"x"' }, "proceed"],
    ["If-None-Match: nonsense", { "if-none-match": "abc" }, "proceed"],
    ["If-Modified-Since: the same second", { "if-modified-since": SAME }, "not-modified"],
    ["If-Modified-Since: the same second, the old way", { "if-modified-since": SAME_RFC850 }, "not-modified"],
    ["If-Modified-Since: the same second, the oldest way", { "if-modified-since": SAME_ASCTIME }, "not-modified"],
    ["If-Modified-Since: a date that HTTP does not write", { "if-modified-since": "2027-01-01" }, "proceed"],
    ["If-Modified-Since: two dates", { "if-modified-since": `${SAME}, ${SAME}` }, "proceed"],
    ["If-Modified-Since: a second later", { "if-modified-since": AFTER }, "not-modified"],
    ["If-Modified-Since: a second before", { "if-modified-since": BEFORE }, "proceed"],
    ["If-Modified-Since: no date", { "if-modified-since": "soon" }, "proceed"],
    ["If-None-Match beats If-Modified-Since", { "if-none-match": '"x"', "if-modified-since": SAME }, "proceed"],
    ["a failed If-Match beats If-None-Match", { "if-match": '"x"', "if-none-match": '"abc"' }, "failed"],
    ["both hold", { "if-match": '"abc"', "if-none-match": '"abc"' }, "not-modified"],
    ["both dates hold", { "if-unmodified-since": SAME, "if-modified-since": SAME }, "not-modified"],
  ])("%s", (_what, headers, decision) => {
    expect(decide(headers)).toBe(decision);
  });
});

/** RFC 9110 section 13.1.5. */
describe("If-Range", () => {
  it.each([
    ["is absent", null, true],
    ["names this file", '"abc"', true],
    ["names it with spaces around", ' "abc" ', true],
    ["names it weakly", 'W/"abc"', false],
    ["names another", '"abcd"', false],
    ["is the exact date", SAME, true],
    ["is the exact date, the oldest way", SAME_ASCTIME, true],
    ["is the exact date, as HTTP does not write it", "2026-11-21T12:00:00Z", false],
    ["is an earlier date", BEFORE, false],
    ["is a later date", AFTER, false],
    ["is nonsense", "abc", false],
    ["is empty", "", false],
  ])("%s", (_what, value, applies) => {
    expect(rangeApplies(value, FILE)).toBe(applies);
  });
});
