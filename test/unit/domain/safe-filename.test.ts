import { describe, expect, it } from "vitest";
import { safeFilename } from "#domain/file-names.ts";

describe("a safe filename", () => {
  it.each([
    "report.pdf",
    ".gitignore",
    "a b.txt",
    "Überblick – März.pdf",
    "日本語.txt",
    "שלום.pdf",
    "family 👩‍👩‍👧.png",
    "it's (a) *star*!.txt",
    "100%.txt",
    "console.log",
    "CONTRACT.pdf",
    "COM10.txt",
    "nullable",
    "x".repeat(255),
  ])("of a safe name is the name itself: %j", (filename) => {
    expect(safeFilename(filename)).toBe(filename);
  });

  it.each([
    ["", "download"],
    [".", "download"],
    ["..", "download"],
    ["...", "download"],
    [" . ", "download"],
    ["\u00a0", "download"],
    ["\u202e", "download"],
    ["a.", "a"],
    ["a.txt. .", "a.txt"],
    ["a.txt   ", "a.txt"],
    ["  a.txt", "a.txt"],
    ["invoice\u202egnp.exe", "invoicegnp.exe"],
    ["\u202aa\u202bb\u202cc\u202dd\u202ee", "abcde"],
    ["\u2066a\u2067b\u2068c\u2069d", "abcd"],
    ["\u200ea\u200fb\u061cc", "abc"],
    ["a\u0000b\nc\rd\te\u001bf\u007fg\u0085h", "abcdefgh"],
    ["a\u2028b\u2029c", "abc"],
    ["../../etc/passwd", ".._.._etc_passwd"],
    ["C:\\Windows\\a.exe", "C:_Windows_a.exe"],
    ["/", "_"],
    ["\ud800a\udc00", "_a_"],
    ["CON", "_CON"],
    ["con.txt", "_con.txt"],
    ["Nul .txt", "_Nul .txt"],
    ["AUX.tar.gz", "_AUX.tar.gz"],
    ["prn.", "_prn"],
    ["COM1.txt", "_COM1.txt"],
    ["COM0", "_COM0"],
    ["lpt9", "_lpt9"],
    ["COM\u00b2.txt", "_COM\u00b2.txt"],
    ["CONIN$", "_CONIN$"],
    ["C\u200eON", "_CON"],
  ])("of %j is %j, which stays unchanged", (filename, safe) => {
    expect(safeFilename(filename)).toBe(safe);
    expect(safeFilename(safe)).toBe(safe);
  });
});
