import { expect, it } from "vitest";
import { fileKind } from "#app/ui/file-icon.tsx";

it.each([
  ["pdf", ["a.pdf", "A.PDF", "a.b.pdf"]],
  ["text", ["a.doc", "a.docx"]],
  ["spreadsheet", ["a.xls", "a.xlsx"]],
  ["presentation", ["a.ppt", "a.pptx"]],
  ["image", ["a.jpg", "a.jpeg", "a.png", "a.gif", "a.svg", "a.webp"]],
  ["video", ["a.mp4", "a.mov", "a.avi", "a.webm"]],
  ["audio", ["a.mp3", "a.wav", "a.ogg"]],
  ["archive", ["a.zip", "a.rar", "a.7z", "a.tar", "a.gz", "a.tar.gz"]],
  ["generic", ["a", "pdf", "a.", "a.exe", "", ".", "a.pdf.exe", "a.constructor"]],
])("%s: %s [DASH-12]", (kind, names) => {
  expect(names.map(fileKind)).toEqual(names.map(() => kind));
});
