import { expect, it } from "vitest";
import { isLinkPage, isRequestPage } from "#domain/site-pages.ts";

it("a link's page is one however its path is written, as routes match it", () => {
  const paths = [
    "/download/abc",
    "/Download/abc",
    "/DOWNLOAD/abc.data",
    "/download/",
    "/downloads/abc",
    "/a/download/b",
    "/r/abc",
    "/R/abc.data",
    "/r/",
    "/register",
  ];
  expect(paths.map(isLinkPage)).toEqual([true, true, true, false, false, false, true, true, false, false]);
});

it("the page of an upload request is told from that of a download", () => {
  expect(["/r/abc", "/R/abc", "/r/", "/download/abc", "/register"].map(isRequestPage)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
