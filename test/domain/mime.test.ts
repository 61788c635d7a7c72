import { describe, expect, it } from "vitest";
import { extensionOf, mimeTypeOf } from "#domain/mime.ts";

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
  ])("of %s is %s where the browser names none", (filename, type) => {
    expect(mimeTypeOf(filename, "")).toBe(type);
  });

  it.each(["README", "a.", "a.unknown", "a.png ", "png", "", "a.__proto__", "a.constructor", "a.toString"])(
    "of %j is not known",
    (filename) => {
      expect(mimeTypeOf(filename, "")).toBe("application/octet-stream");
    },
  );

  it("is what the browser says, where it says something", () => {
    expect(mimeTypeOf("photo.png", "text/plain")).toBe("text/plain");
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
