import { describe, expect, it } from "vitest";
import { inOrder, parseKinds, RISK_HEAD_BYTES, riskByBytes, riskByName } from "#domain/moderation/risky-kinds.ts";

const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const utf16 = (text: string) => latin1(`\xff\xfe${text.replaceAll(/./g, "$&\0")}`);

describe("a risky kind", () => {
  it.each([
    ["setup.exe", "program"],
    ["folder.d/SETUP.EXE", "program"],
    ["invoice.pdf.exe", "program"],
    ["trailing.exe. .", "program"],
    ["app.apk", "program"],
    ["run.ps1", "script"],
    ["a.sh", "script"],
    ["login.html", "page"],
    ["picture.svg", "page"],
    ["disk.iso", "disk-image"],
    ["Photos.lnk", "shortcut"],
    ["report.docm", "macro"],
    ["report.docx", null],
    ["photo.jpg", null],
    ["exe", null],
    ["my.exe/readme.txt", null],
    ["", null],
  ])("by the name %j is %s", (name, kind) => {
    expect(riskByName(name)).toBe(kind);
  });

  const iso = new Uint8Array(RISK_HEAD_BYTES);
  iso.set(latin1("CD001"), 32_769);
  it.each([
    ["of Windows' programs", latin1("MZ\x90\0\x03"), "program"],
    ["of Linux' programs", latin1("\x7fELF\x02"), "program"],
    ["of macOS' programs", latin1("\xcf\xfa\xed\xfe\x07"), "program"],
    ["of scripts", latin1("#!/bin/sh\n"), "script"],
    ["of ISO images", iso, "disk-image"],
    ["of Windows' shortcuts", latin1("L\0\0\0\x01\x14\x02\0\0"), "shortcut"],
    ["of internet shortcuts", latin1("\r\n[InternetShortcut]\r\nURL=x"), "shortcut"],
    ["of office files with macros", latin1("PK\x03\x04....word/vbaProject.bin"), "macro"],
    ["of other office files and ZIPs", latin1("PK\x03\x04....word/document.xml"), null],
    ["of HTML", latin1("<!DOCTYPE html><title>"), "page"],
    ["of HTML behind a mark, spaces and a comment", latin1("\xef\xbb\xbf \n<!-- x --> <HTML>"), "page"],
    ["of HTML in UTF-16", utf16("<html>"), "page"],
    ["of SVG behind XML's declaration", latin1('<?xml version="1.0"?>\n<svg xmlns="x">'), "page"],
    ["of text about HTML", latin1("Write <html> first."), null],
    ["of PDF", latin1("%PDF-1.7"), null],
    ["of nothing", new Uint8Array(), null],
  ])("by the bytes %s", (_, bytes, kind) => {
    expect(riskByBytes(bytes)).toBe(kind);
  });

  it("is in a setting by its name, and nothing else is", () => {
    expect(parseKinds("")).toEqual([]);
    expect(parseKinds(" script, program ,program")).toEqual(["program", "script"]);
    expect(parseKinds("programs")).toBeNull();
    expect(inOrder(["macro", null, "program", "macro"])).toEqual(["program", "macro"]);
  });
});
