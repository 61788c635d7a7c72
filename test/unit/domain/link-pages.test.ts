import { expect, it } from "vitest";
import { isLinkPage } from "#domain/link-pages.ts";

it("a link's page is one however its path is written, as routes match it", () => {
  const paths = [
    "/download/abc",
    "/Download/abc",
    "/DOWNLOAD/abc.data",
    "/download/",
    "/downloads/abc",
    "/a/download/b",
  ];
  expect(paths.map(isLinkPage)).toEqual([true, true, true, false, false, false]);
});
