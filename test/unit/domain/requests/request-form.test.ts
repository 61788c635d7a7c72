import { describe, expect, it } from "vitest";
import { parseSize, formatBytes } from "#domain/units.ts";
import { uploadRequestForm } from "#domain/wire.ts";

describe("a typed size", () => {
  it.each([
    ["500 MB", 524_288_000],
    ["2 GB", 2_147_483_648],
    ["1.5gb", 1_610_612_736],
    ["1,5 GB", 1_610_612_736],
    [" 10 kb ", 10_240],
    ["1 TB", 1_099_511_627_776],
  ])("%j is %i bytes", (text, bytes) => {
    expect(parseSize(text)).toBe(bytes);
  });

  it.each(["2", "GB", "2 PB", "-1 MB", "1.2345 MB", "1 000 MB", "much", "1e3 MB"])("%j is none", (text) => {
    expect(parseSize(text)).toBeNaN();
  });

  it("is nothing where nothing is typed", () => {
    expect(parseSize("  ")).toBeNull();
  });

  it("is read as it is written in both languages", () => {
    expect(parseSize(formatBytes(1_610_612_736, "en"))).toBe(1_610_612_736);
    expect(parseSize(formatBytes(1_610_612_736, "de"))).toBe(1_610_612_736);
  });
});

const TYPED = {
  title: " Photos ",
  note: "",
  expiresIn: "30d",
  keepFor: "3d",
  mostBytes: "2 GB",
  mostFileBytes: "",
  mostTransfers: "3",
  kinds: "PDF, .jpg  tar.gz",
  asksName: "on",
  password: "",
  notify: "daily",
  origins: "https://Example.com/\nhttp://localhost:5173, https://example.com:443",
};

describe("the form of a request", () => {
  it("becomes what the call takes", () => {
    expect(uploadRequestForm.parse(TYPED)).toEqual({
      title: "Photos",
      note: "",
      expiresIn: "30d",
      keepFor: "3d",
      mostBytes: 2_147_483_648,
      mostFileBytes: null,
      mostTransfers: 3,
      kinds: ["pdf", "jpg", "tar.gz"],
      asksName: true,
      asksEmail: false,
      notify: "daily",
      origins: ["https://example.com", "http://localhost:5173"],
    });
  });

  it("has no limits, kinds and sites where nothing is typed", () => {
    const parsed = uploadRequestForm.parse({ title: "Photos" });
    expect(parsed).toMatchObject({ mostBytes: null, mostTransfers: null, kinds: null, origins: [], expiresIn: "7d" });
    expect(parsed).not.toHaveProperty("password");
  });

  it.each([
    ["title", " "],
    ["title", "a".repeat(121)],
    ["note", "a".repeat(2001)],
    ["mostBytes", "two GB"],
    ["mostBytes", "0 MB"],
    ["mostFileBytes", "2"],
    ["mostTransfers", "1.5"],
    ["mostTransfers", "0"],
    ["kinds", "pdf, *.*"],
    ["origins", "example.com"],
    ["origins", "http://example.com"],
    ["origins", "https://example.com/upload"],
    ["origins", Array.from({ length: 11 }, (_, n) => `https://a${n}.example`).join("\n")],
    ["kinds", Array.from({ length: 21 }, (_, n) => `k${n}`).join(" ")],
  ])("names the field %s with %j", (field, value) => {
    const { error } = uploadRequestForm.safeParse({ ...TYPED, [field]: value });
    expect(error?.issues.map(({ path }) => path[0])).toEqual([field]);
  });
});
