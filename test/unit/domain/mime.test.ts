import { describe, expect, it } from "vitest";
import { extensionOf, mimeTypeOf, parseMimeType, servedMimeType } from "#domain/mime.ts";

describe("a file's type", () => {
  it.each([
    ["photo.png", "image/png"],
    ["PHOTO.PNG", "image/png"],
    ["a.b.pdf", "application/pdf"],
    ["archive.tar.gz", "application/gzip"],
    ["film.mp4", "video/mp4"],
    ["song.mp3", "audio/mpeg"],
    ["brief.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
    [".png", "image/png"],
    ["写真.jpg", "image/jpeg"],
  ])("of %s is %s when the browser sends none [VAL-12]", (filename, type) => {
    expect(mimeTypeOf(filename, "")).toBe(type);
  });

  it.each(["README", "a.", "a.unknown", "a.png ", "png", "", "a.__proto__", "a.constructor", "a.toString"])(
    "of %j is unknown",
    (filename) => {
      expect(mimeTypeOf(filename, "")).toBe("application/octet-stream");
    },
  );

  it("is the one the browser sends", () => {
    expect(mimeTypeOf("photo.png", "text/plain")).toBe("text/plain");
  });

  it.each(["nonsense", "image/", "image/png\r\nx: y", "ü/ü", " "])(
    "is the extension's when the browser sends %j",
    (announced) => {
      expect(mimeTypeOf("photo.png", announced)).toBe("image/png");
      expect(mimeTypeOf("photo", announced)).toBe("application/octet-stream");
    },
  );
});

describe("a media type", () => {
  it.each([
    ["image/png", "image/png"],
    ["Image/PNG", "image/png"],
    [" image/png ", "image/png"],
    ["application/vnd.a+json", "application/vnd.a+json"],
    ["x-a/b_c", "x-a/b_c"],
    [`a/${"b".repeat(127)}`, `a/${"b".repeat(127)}`],
    ["text/plain; charset=utf-8", "text/plain; charset=utf-8"],
    ["text/plain;CHARSET=UTF-8", "text/plain; charset=utf-8"],
    ['text/plain; charset="utf-8"', "text/plain; charset=utf-8"],
    ["text/plain; charset=utf-8; charset=utf-7", "text/plain; charset=utf-8"],
    ["text/plain; format=flowed; charset=big5; x", "text/plain; charset=big5"],
    ["text/plain; charset=utf-7", "text/plain"],
    ["text/plain; charset=utf-16", "text/plain"],
    ["text/plain; charset=iso-2022-jp", "text/plain"],
    ["text/plain; charset=__proto__", "text/plain"],
    ["text/plain; charset=", "text/plain"],
    ['text/plain; charset="', "text/plain"],
    ["text/plain; boundary=x", "text/plain"],
    ["text/plain;", "text/plain"],
  ])("%j is read as %j", (announced, read) => {
    expect(parseMimeType(announced)).toBe(read);
    expect(servedMimeType(announced)).toBe(read);
    expect(parseMimeType(read)).toBe(read);
  });

  it.each([
    "",
    " ",
    "text",
    "text/",
    "/plain",
    "text/pl ain",
    "text plain",
    "text/plain charset=utf-8",
    "text/a/b",
    "*/*",
    "text/plain\r\nx: y",
    "text/plain; ü",
    "text/plain; a\nb",
    "\ud800/x",
    "text/plain\u0000",
    `a/${"b".repeat(128)}`,
  ])("%j is invalid", (announced) => {
    expect(parseMimeType(announced)).toBeNull();
    expect(servedMimeType(announced)).toBe("application/octet-stream");
  });
});

describe("a name's extension", () => {
  it.each([
    ["a.TXT", "txt"],
    ["a.b.C", "c"],
    ["a.", ""],
    ["a", ""],
    [".gitignore", "gitignore"],
  ])("of %s is %j", (filename, extension) => {
    expect(extensionOf(filename)).toBe(extension);
  });
});
