import { expect, it } from "vitest";
import { areMostlyPictures, lookFromCookies } from "#app/features/download/pictures/look.ts";
import { playingTime } from "#app/features/download/pictures/playing-time.ts";
import { differOnlyInShownFile } from "#app/features/download/pictures/shown-file-param.ts";

it.each([
  [0.2, "0:00"],
  [7.4, "0:07"],
  [59.6, "1:00"],
  [723, "12:03"],
  [3723, "1:02:03"],
])("%d seconds are shown as %s", (seconds, text) => {
  expect(playingTime(seconds)).toBe(text);
});

it.each([
  { types: ["image/jpeg", "video/mp4", "text/plain"], isWall: true },
  { types: ["image/jpeg", "text/plain"], isWall: false },
  { types: ["application/pdf"], isWall: false },
  { types: [], isWall: false },
])("of files of the types $types, most are pictures or videos: $isWall", ({ types, isWall }) => {
  const files = types.map((type, n) => ({ path: `${n}`, type }));
  // Empty folders are no files.
  expect(areMostlyPictures([...files, { path: "a/", type: "" }, { path: "b/", type: "" }])).toBe(isWall);
});

it.each([
  [null, null],
  ["theme=dark", null],
  ["theme=dark; files-as=list", "list"],
  ["files-as=wall", "wall"],
  ["files-as=tiles", null],
  ["other-files-as=wall", null],
])("the cookies %j remember the look %j", (cookies, look) => {
  expect(lookFromCookies(cookies)).toBe(look);
});

it.each([
  ["/download/a", "/download/a?show=3", true],
  ["/download/a?show=3&for=x", "/download/a?for=x&show=4", true],
  ["/download/a?show=3", "/download/a", true],
  ["/download/a?for=x&show=3", "/download/a?show=3", false],
  ["/download/a?show=3", "/download/b?show=4", false],
  ["/download/a?show=3", "/download/a?show=3", false],
])("%s and %s differ only in the file in the viewer: %j", (one, other, isOnly) => {
  const site = "https://send.example";
  expect(differOnlyInShownFile(new URL(one, site), new URL(other, site))).toBe(isOnly);
});
