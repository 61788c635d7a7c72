import { expect, it } from "vitest";
import { shown, shownAsJson } from "../../../opener/show.ts";

/** Control characters, line breaks, direction marks, characters of no width, and tags. */
const HIDDEN = [
  0x00, 0x07, 0x08, 0x09, 0x0a, 0x0d, 0x1b, 0x1f, 0x7f, 0x80, 0x85, 0x90, 0x9b, 0x9d, 0x9f, 0xad, 0x061c, 0x200b,
  0x200d, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2060, 0x2066, 0x2069, 0xfeff, 0x110bd, 0x1d173, 0xe0001,
  0xe0041, 0xe007f,
].map((codePoint) => [codePoint.toString(16), String.fromCodePoint(codePoint)] as const);

it.each(HIDDEN)("U+%s reaches a terminal neither in words nor in JSON, which keeps it [CLI-24]", (_, character) => {
  const text = `a${character}b`;
  expect(shown(text)).toMatch(/^a ?b$/);
  const json = shownAsJson({ [text]: [text] });
  expect(json).toMatch(/^[\x20-\x7e]+$/);
  expect(JSON.parse(json)).toEqual({ [text]: [text] });
});

it.each(["Größe.txt", "写真", "😀", 'a "quoted" \\ name'])("leaves %j as it is", (text) => {
  expect(shown(text)).toBe(text);
  expect(shownAsJson([text])).toBe(JSON.stringify([text]));
});
