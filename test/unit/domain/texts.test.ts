import { describe, expect, it } from "vitest";
import { fileOfText, isWritten, newText } from "#app/features/upload/text/text-draft.ts";
import { mimeTypeOf } from "#domain/mime.ts";
import { isWrittenText } from "#domain/preview.ts";
import { isProse, nameOfText, splitAtLinks, typeOfText, type TextKind } from "#domain/texts.ts";

const MIB = 1_048_576;

describe("a written text", () => {
  it.each<[TextKind, string, string, string]>([
    ["text", "", "note.txt", "text/plain; charset=utf-8"],
    ["markdown", "", "note.md", "text/markdown; charset=utf-8"],
    ["json", "", "note.json", "application/json; charset=utf-8"],
    ["code", "", "code.txt", "text/x-code; charset=utf-8"],
    ["text", " Shopping list ", "Shopping list.txt", "text/plain; charset=utf-8"],
    ["code", "main.py", "main.py", "text/x-code; charset=utf-8"],
    ["code", ".env", ".env.txt", "text/x-code; charset=utf-8"],
  ])("of the kind %s with the name %j is the file %s of the type %s [TEXT-1]", async (kind, typed, name, type) => {
    expect([nameOfText(kind, typed), typeOfText(kind)]).toEqual([name, type]);
    const file = fileOfText({ text: "ä\n", kind, name: typed });
    expect([file.name, file.type, await file.text()]).toEqual([name, type, "ä\n"]);
    // What the server keeps of the type still says that this is a written text.
    expect(isWrittenText({ mimeType: mimeTypeOf(name, file.type), size: file.size })).toBe(true);
  });

  it("gets a name that every system can hold [TEXT-1]", () => {
    expect(fileOfText({ text: "a", kind: "text", name: "Who? Me/you" }).name).toBe("Who_ Me_you.txt");
  });

  it("has at most 1 MB, counted in UTF-8, and is more than spaces [TEXT-1]", () => {
    expect(isWritten(newText("a".repeat(MIB)))).toBe(true);
    expect(isWritten(newText("a".repeat(MIB + 1)))).toBe(false);
    expect(isWritten(newText("ä".repeat(MIB / 2)))).toBe(true);
    expect(isWritten(newText("ä".repeat(MIB / 2 + 1)))).toBe(false);
    expect(isWritten(newText(" \n\t"))).toBe(false);
  });

  it.each([
    ["text/plain; charset=utf-8", 1, true],
    ['text/plain;charset="UTF-8"', MIB, true],
    ["application/json; charset=utf-8", 1, true],
    ["text/plain; charset=utf-8", MIB + 1, false],
    ["text/plain", 1, false],
    ["text/plain; charset=utf-16", 1, false],
    ["text/plain; x=utf-8", 1, false],
    ["text/html; charset=utf-8", 1, false],
    ["image/svg+xml; charset=utf-8", 1, false],
  ])("a file of the type %s with %d bytes is one: %j [TEXT-2]", (mimeType, size, expected) => {
    expect(isWrittenText({ mimeType, size })).toBe(expected);
  });

  it("is prose as plain text and Markdown, and code otherwise [TEXT-3]", () => {
    const prose = (["text", "markdown", "json", "code"] as const).filter((kind) => isProse(typeOfText(kind)));
    expect(prose).toEqual(["text", "markdown"]);
  });
});

describe("the web addresses in a text [TEXT-4]", () => {
  const linksIn = (text: string) => splitAtLinks(text).flatMap(({ url }) => url ?? []);

  it.each([
    ["See https://example.com/a.", ["https://example.com/a"]],
    ["(https://example.com/a_(b))", ["https://example.com/a_(b)"]],
    [
      "[https://example.com/?q=1&r=2#x], and http://localhost:80!",
      ["https://example.com/?q=1&r=2#x", "http://localhost:80"],
    ],
    ["“https://example.com/ä”…", ["https://example.com/ä"]],
    ["<https://example.com>", ["https://example.com"]],
    ["HTTPS://EXAMPLE.COM/A", ["HTTPS://EXAMPLE.COM/A"]],
    ["https://a.example\nhttps://b.example", ["https://a.example", "https://b.example"]],
    ["javascript:alert(1) data:text/html,x ftp://example.com mailto:a@b.example", []],
    ["https:// http://: https://[ xhttps://example.com", []],
    ["", []],
  ])("%j has %j", (text, links) => {
    expect(linksIn(text)).toEqual(links);
    expect(
      splitAtLinks(text)
        .map((piece) => piece.text)
        .join(""),
    ).toBe(text);
  });

  it("are links up to the thousandth; the rest of the text stays as it is", () => {
    const text = "https://example.com ".repeat(1500);
    expect(linksIn(text)).toHaveLength(1000);
    expect(
      splitAtLinks(text)
        .map((piece) => piece.text)
        .join(""),
    ).toBe(text);
  });

  it("are found in a text of 1 MB of brackets as well", () => {
    const text = `https://example.com/${")".repeat(MIB - 20)}`;
    expect(linksIn(text)).toEqual(["https://example.com/"]);
  });
});
