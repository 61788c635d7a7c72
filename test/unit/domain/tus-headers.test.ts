import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readByteCount, readChecksum, readMetadata, writeMetadata } from "#domain/tus.ts";

describe("Upload-Metadata", () => {
  it("is written as it is read", () => {
    const written = "filename cmVwb3J0LnBkZg==,filetype YXBwbGljYXRpb24vcGRm";
    expect(writeMetadata({ filename: "report.pdf", filetype: "application/pdf" })).toBe(written);
  });

  it("has what we know of it, and ignores the rest", () => {
    expect(readMetadata("filename cmVwb3J0LnBkZg==,filetype YXBwbGljYXRpb24vcGRm")).toEqual({
      filename: "report.pdf",
      filetype: "application/pdf",
    });
    expect(readMetadata("name w6QudHh0, is_private ,relativePath bnVsbA==, expires MWQ=")).toEqual({
      name: "ä.txt",
      expires: "1d",
    });
    expect(readMetadata("")).toEqual({});
    expect(readMetadata("filename")).toEqual({ filename: "" });
    // Not UTF-8, and not asked for.
    expect(readMetadata("color /w==")).toEqual({});
  });

  it.each([
    ["a value that is not Base64", "filename report.pdf"],
    ["Base64 without padding", "filename cmVwb3J0LnBkZg"],
    ["a text that is not UTF-8", "filename /w=="],
    ["a key twice", "filename YQ==,filename Yg=="],
    ["a pair without a key", "filename YQ==,"],
    ["a third word", "filename YQ== Yg=="],
  ])("is refused with %s", (_, header) => {
    expect(readMetadata(header)).toBeNull();
  });

  it("gives every name back", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (name) => {
        const value = btoa(String.fromCharCode(...new TextEncoder().encode(name)));
        expect(readMetadata(`name ${value}`)).toEqual({ name });
        expect(writeMetadata({ name })).toBe(`name ${value}`);
      }),
    );
  });
});

describe("Upload-Checksum", () => {
  it("is an algorithm and a digest of its length", () => {
    expect(readChecksum("sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=")).toEqual({
      algorithm: "SHA-1",
      digest: "2aae6c35c94fcfb415dbe95f408b9ce91ee846ed",
    });
    expect(readChecksum("md5 XrY7u+Ae7tCTyyK7j1rNww==")).toEqual({
      algorithm: "MD5",
      digest: "5eb63bbbe01eeed093cb22bb8f5acdc3",
    });
  });

  it.each([
    "",
    "sha1",
    "sha1 ",
    "sha512 Kq5sNclPz7QV2+lfQIuc6R7oRu0=",
    "sha256 Kq5sNclPz7QV2+lfQIuc6R7oRu0=",
    "constructor Kq5sNclPz7QV2+lfQIuc6R7oRu0=",
    "sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0= more",
  ])("is refused: %j", (header) => {
    expect(readChecksum(header)).toBeNull();
  });
});

describe("a number of bytes", () => {
  it("is digits alone", () => {
    expect(["0", "5", "53687091200", "007"].map(readByteCount)).toEqual([0, 5, 53_687_091_200, 7]);
    expect(["", "-1", "1.5", "1e3", "0x10", " 5", "9".repeat(16)].map(readByteCount)).toEqual([
      null,
      null,
      null,
      null,
      null,
      null,
      null,
    ]);
    expect(readByteCount(undefined)).toBeNull();
  });
});
