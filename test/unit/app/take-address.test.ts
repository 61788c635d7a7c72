import { describe, expect, it } from "vitest";
import { bytesUrl, takeUrl } from "#app/features/download/protection/use-take.ts";

const LINK = "/api/files/download/abc";

describe("the address that takes a download", () => {
  it.each([
    [`${LINK}/content`, `${LINK}/take`],
    [`${LINK}/content?v=1a&pick=0-2.5`, `${LINK}/take?v=1a&pick=0-2.5`],
    [`${LINK}/content?follow=1&for=abc`, `${LINK}/take?follow=1&for=abc`],
    [`${LINK}/entries/12/content`, `${LINK}/take?entry=12`],
    [`${LINK}/content?v=1a&for=abc`, `${LINK}/take?v=1a&for=abc`],
    [`${LINK}/entries/12/content?for=abc`, `${LINK}/take?entry=12&for=abc`],
  ])("of %s is %s, and leads back", (bytes, take) => {
    expect(takeUrl(bytes)).toBe(take);
    expect(bytesUrl(take)).toBe(bytes);
  });

  it("is on this host, whose cookies are needed", () => {
    expect(takeUrl(`https://files.example.com${LINK}/content?v=1a`)).toBe(`${LINK}/take?v=1a`);
  });
});
