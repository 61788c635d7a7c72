import { describe, expect, it } from "vitest";
import { bytesAddress, takeAddress } from "#app/features/download/guards/use-take.ts";

const LINK = "/api/files/download/abc";

describe("the address that takes a download", () => {
  it.each([
    [`${LINK}/content`, `${LINK}/take`],
    [`${LINK}/content?v=1a&pick=0-2.5`, `${LINK}/take?v=1a&pick=0-2.5`],
    [`${LINK}/entries/12/content`, `${LINK}/take?entry=12`],
    [`${LINK}/content?v=1a&for=abc`, `${LINK}/take?v=1a&for=abc`],
    [`${LINK}/entries/12/content?for=abc`, `${LINK}/take?entry=12&for=abc`],
  ])("of %s is %s, and leads back", (bytes, take) => {
    expect(takeAddress(bytes)).toBe(take);
    expect(bytesAddress(take)).toBe(bytes);
  });

  it("is on this host, whose cookies are needed", () => {
    expect(takeAddress(`https://files.example.com${LINK}/content?v=1a`)).toBe(`${LINK}/take?v=1a`);
  });
});
