import { describe, expect, it } from "vitest";
import { attachmentDisposition } from "#domain/file-names.ts";

/** The names in `filename` and `filename*`. */
function read(header: string): { ascii: string; name: string } {
  const [, ascii = "", extended = ""] = /^attachment; filename="([^"]*)"; filename\*=UTF-8''(.*)$/.exec(header) ?? [];
  return { ascii, name: decodeURIComponent(extended) };
}

describe("the filename of a download", () => {
  it.each([
    ["report.pdf", "report.pdf"],
    ["my file (1).txt", "my file (1).txt"],
    ["Überblick – März.pdf", "Uberblick _ Marz.pdf"],
    ["u\u0308ber.txt", "uber.txt"],
    ["a\u0301\u0323b.txt", "ab.txt"],
    ["日本語.txt", "___.txt"],
    ["한국어.txt", undefined],
    ["שלום עולם.pdf", "____ ____.pdf"],
    ["مرحبا.pdf", "_____.pdf"],
    ["party 🎉👩‍👩‍👧.png", undefined],
    ['say "hi".txt', "say _hi_.txt"],
    ["100%.txt", "100_.txt"],
    ["100%41.txt", "100_41.txt"],
    ["it's (a) *star*!.txt", "it's (a) *star*!.txt"],
    ["semi;colon=.txt", "semi;colon=.txt"],
    ["ﬁle ①.txt", "file 1.txt"],
    ["＂quoted＂ ％.txt", "_quoted_ _.txt"],
    ["~tilde`^|#$&+-._", "~tilde`^|#$&+-._"],
  ])("%j keeps its full name for clients that know RFC 6266", (filename, ascii) => {
    const both = read(attachmentDisposition(filename));
    expect(both.name).toBe(filename);
    if (ascii !== undefined) expect(both.ascii).toBe(ascii);
  });

  it.each([
    ["..", "download", "download"],
    [" . ", "download", "download"],
    ["a\u202egnp.exe", "agnp.exe", "agnp.exe"],
    ["a\r\nb.txt", "ab.txt", "ab.txt"],
    ["a.txt. ", "a.txt", "a.txt"],
    ["back\\slash.txt", "back_slash.txt", "back_slash.txt"],
    ["nul.txt", "_nul.txt", "_nul.txt"],
    ["\ud800.txt", "_.txt", "_.txt"],
    // The ASCII name becomes unsafe only after its characters were replaced.
    ["．．", "download", "．．"],
    ["…", "download", "…"],
    ["ＣＯＮ.txt", "_CON.txt", "ＣＯＮ.txt"],
    ["\u0301", "download", "\u0301"],
  ])("%j is safe to save for old and new clients", (filename, ascii, name) => {
    expect(read(attachmentDisposition(filename))).toEqual({ ascii, name });
  });

  it.each(["plain.txt", "ü.txt", "🎉.png", 'q"\\%.txt', "'()*!.txt", "\u202egnp.exe", "日本語.txt", "x".repeat(255)])(
    "%j is encoded with the characters that RFC 8187 and RFC 9110 allow",
    (filename) => {
      const header = attachmentDisposition(filename);
      const [, extended = ""] = header.split("filename*=UTF-8''");
      expect(extended).toMatch(/^(?:[A-Za-z0-9!#$&+.^_`|~-]|%[0-9A-F]{2})*$/);
      expect(header).toMatch(/^[\x20-\x7e]*$/);
      expect(new Headers({ "content-disposition": header }).get("content-disposition")).toBe(header);
    },
  );

  it.each(["..／..／etc／passwd", "a＼b.txt", "℀.txt", "⁄.txt"])("%j gives old clients no path", (filename) => {
    const { ascii, name } = read(attachmentDisposition(filename));
    expect(name).toBe(filename);
    expect(ascii).not.toMatch(/[/\\]/);
  });
});
