import { describe, expect, it } from "vitest";
import { parseHttpDate } from "#domain/http-semantics.ts";

const AT = Date.UTC(1994, 10, 6, 8, 49, 37);

/** RFC 9110 section 5.6.7, its own examples among them. */
describe("an HTTP date", () => {
  it.each([
    ["Sun, 06 Nov 1994 08:49:37 GMT", AT],
    ["Sun Nov  6 08:49:37 1994", AT],
    ["Sun Nov 16 08:49:37 1994", AT + 10 * 24 * 60 * 60 * 1000],
    ["Saturday, 21-Nov-26 12:00:00 GMT", Date.UTC(2026, 10, 21, 12)],
    [" Sun, 06 Nov 1994 08:49:37 GMT ", AT],
    ["Thu, 29 Feb 2024 23:59:60 GMT", null],
    ["Thu, 29 Feb 2024 23:59:59 GMT", Date.UTC(2024, 1, 29, 23, 59, 59)],
  ])("%s", (text, at) => {
    expect(parseHttpDate(text)).toBe(at);
  });

  it.each([
    "",
    "0",
    "2027",
    "1994-11-06T08:49:37Z",
    "Sun, 6 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:49:37 +0100",
    "sun, 06 nov 1994 08:49:37 gmt",
    "Sun, 31 Feb 2026 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT",
  ])("%j is invalid", (text) => {
    expect(parseHttpDate(text)).toBeNull();
  });

  it("written by toUTCString is read back", () => {
    expect(parseHttpDate(new Date(AT).toUTCString())).toBe(AT);
  });
});
