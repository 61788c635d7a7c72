import { expect, it } from "vitest";
import { isDownloadLimit } from "#domain/protection/link-protection.ts";
import { grantCookie, LEASE_COOKIE_SECONDS, leaseCookie } from "#domain/protection/tokens.ts";

const LINK = "AAAAAAAAAAAAAAAAAAAAAA";

/** RFC 6265 section 5.1.4. */
const matches = (path: string, address: string) => address === path || address.startsWith(`${path}/`);

it("a grant's cookie goes to the link's page, its data and its calls, and not to the owner's", () => {
  const { name, paths } = grantCookie(LINK);
  expect(name).toBe("grant_AAAAAAAAAAAAAAAAAAAAAA");
  const isSent = (address: string) => paths.filter((path) => matches(path, address)).length;
  expect(isSent(`/download/${LINK}`)).toBe(1);
  expect(isSent(`/download/${LINK}.data`)).toBe(1);
  expect(isSent(`/api/files/download/${LINK}`)).toBe(1);
  expect(isSent(`/api/files/download/${LINK}/entries/3/content`)).toBe(1);
  expect(isSent("/api/files")).toBe(0);
  expect(isSent("/dashboard")).toBe(0);
});

it("a lease's cookie goes to its link's calls alone, for as long as the gate may know it", () => {
  const { name, paths } = leaseCookie(LINK);
  expect([name, paths]).toEqual([
    "lease_AAAAAAAAAAAAAAAAAAAAAA",
    ["/download", "/api/files/download/AAAAAAAAAAAAAAAAAAAAAA"],
  ]);
  expect(LEASE_COOKIE_SECONDS).toBe(48 * 60 * 60);
});

it.each([
  [1, true],
  [1000, true],
  [0, false],
  [1001, false],
  [2.5, false],
  [-1, false],
  [NaN, false],
])("a limit of %d downloads may be set: %s", (limit, isAllowed) => {
  expect(isDownloadLimit(limit)).toBe(isAllowed);
});
