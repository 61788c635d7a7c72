import { expect, it } from "vitest";
import { fileKindOf } from "#domain/file-kind.ts";

/** Specification 1 section 2, Dashboard. */
it.each([
  ["pdf", ["a.pdf", "A.PDF"]],
  ["text", ["a.doc", "a.docx"]],
  ["spreadsheet", ["a.xls", "a.xlsx"]],
  ["presentation", ["a.ppt", "a.pptx"]],
  ["image", ["a.jpg", "a.jpeg", "a.png", "a.gif", "a.svg", "a.webp"]],
  ["video", ["a.mp4", "a.mov", "a.avi", "a.webm"]],
  ["audio", ["a.mp3", "a.wav", "a.ogg"]],
  ["archive", ["a.zip", "a.rar", "a.7z", "a.tar", "a.tar.gz"]],
  ["other", ["a", "", ".", "a.", "a.txt", "pdf", "a.constructor"]],
])("the kind %s", (kind, names) => {
  expect(names.map(fileKindOf)).toEqual(names.map(() => kind));
});
