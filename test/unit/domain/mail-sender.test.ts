import { describe, expect, it } from "vitest";
import { parseSender } from "#domain/email-address.ts";

describe("a sender", () => {
  it.each([
    ["no-reply@example.com", "", "no-reply@example.com"],
    ["  no-reply@example.com ", "", "no-reply@example.com"],
    ["<no-reply@example.com>", "", "no-reply@example.com"],
    ["Mayfly <no-reply@example.com>", "Mayfly", "no-reply@example.com"],
    ["Mayfly<no-reply@example.com>", "Mayfly", "no-reply@example.com"],
    ['"Files, Inc." <no-reply@example.com>', "Files, Inc.", "no-reply@example.com"],
    ["Files, Inc. <no-reply@example.com>", "Files, Inc.", "no-reply@example.com"],
    [
      String.raw`"The \"Files\" \\ Inc." <no-reply@example.com>`,
      String.raw`The "Files" \ Inc.`,
      "no-reply@example.com",
    ],
    ['"" <no-reply@example.com>', "", "no-reply@example.com"],
    ["Müllers Dateien 文件 <no-reply@example.com>", "Müllers Dateien 文件", "no-reply@example.com"],
  ])("%s is parsed into a name and an address", (text, name, email) => {
    expect(parseSender(text)).toEqual({ name, email });
  });

  it.each([
    "",
    "Mayfly",
    "@example.com",
    "Mayfly <>",
    "Mayfly <no-reply>",
    "Mayfly <no-reply@example.com",
    "Mayfly <no-reply@example.com> and more",
    "<a@example.com> <b@example.com>",
    "a@example.com, b@example.com",
    "Mayfly\nBcc: other@example.com <no-reply@example.com>",
    "Mayfly\u0000 <no-reply@example.com>",
  ])("%j is invalid", (text) => {
    expect(parseSender(text)).toBeNull();
  });
});
