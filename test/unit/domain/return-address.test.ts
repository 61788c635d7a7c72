import { describe, expect, it } from "vitest";
import { ownPath } from "#app/features/account/sign-in-url.ts";
import { parseReturnUrl } from "#domain/return-url.ts";
import { FOREIGN_ADDRESSES, OWN_PATHS } from "#test/support/return-addresses.ts";

const ORIGIN = "http://localhost:8787";

describe("an address to return to", () => {
  it.each(FOREIGN_ADDRESSES)("is rejected when it leads to another site or is invalid: %j", (address) => {
    expect(parseReturnUrl(address, ORIGIN)).toBeNull();
    expect(ownPath(address)).toBeNull();
  });

  it.each(OWN_PATHS)("is accepted when it is a path of this site: %j", (address, path) => {
    const parsed = parseReturnUrl(address, ORIGIN);
    expect(parsed && [parsed.origin, parsed.pathname + parsed.search]).toEqual([ORIGIN, path]);
    expect(ownPath(address)).toBe(path);
  });

  it("may be an absolute URL of this site without credentials, except where only paths are accepted", () => {
    expect(parseReturnUrl(`${ORIGIN}/dashboard?a=b`, ORIGIN)?.href).toBe(`${ORIGIN}/dashboard?a=b`);
    expect(parseReturnUrl("http://somebody:secret@localhost:8787/", ORIGIN)).toBeNull();
    expect(parseReturnUrl("https://localhost:8787/", ORIGIN)).toBeNull();
    expect(parseReturnUrl("http://localhost:8788/", ORIGIN)).toBeNull();
    expect(ownPath(`${ORIGIN}/dashboard`)).toBeNull();
  });

  it("may be missing", () => {
    expect(ownPath(null)).toBeNull();
    expect(ownPath("")).toBeNull();
  });
});
