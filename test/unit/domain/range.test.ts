import { describe, expect, it } from "vitest";
import { parseRange } from "#domain/http-semantics.ts";

const part = (offset: number, length: number) => ({ kind: "part", offset, length });

/** RFC 9110 section 14.1.2, its own examples for 10,000 bytes among them. */
describe("one range of 10,000 bytes", () => {
  it.each([
    ["bytes=0-499", 0, 500],
    ["bytes=500-999", 500, 500],
    ["bytes=-500", 9500, 500],
    ["bytes=9500-", 9500, 500],
    ["bytes=0-0", 0, 1],
    ["bytes=9999-9999", 9999, 1],
    ["bytes=9999-", 9999, 1],
    ["bytes=0-", 0, 10_000],
    ["bytes=0-9999", 0, 10_000],
    ["bytes=0-10000", 0, 10_000],
    ["bytes=9999-99999999999999999999999", 9999, 1],
    ["bytes=-1", 9999, 1],
    ["bytes=-10000", 0, 10_000],
    ["bytes=-10001", 0, 10_000],
    ["bytes=-99999999999999999999999", 0, 10_000],
    ["Bytes=1-2", 1, 2],
    ["bytes= 1-2", 1, 2],
    ["bytes=007-010", 7, 4],
  ])("%s", (header, offset, length) => {
    expect(parseRange(header, 10_000)).toEqual(part(offset, length));
  });

  it.each(["bytes=10000-", "bytes=10000-10001", "bytes=99999999999999999999999-", "bytes=-0"])(
    "%s has no byte in the file",
    (header) => {
      expect(parseRange(header, 10_000)).toEqual({ kind: "unsatisfiable" });
    },
  );

  it.each([
    null,
    "",
    "bytes",
    "bytes=",
    "bytes=-",
    "bytes=abc",
    "bytes=1",
    "bytes=1-2-3",
    "bytes=--1",
    "bytes=+1-2",
    "bytes=1.5-2",
    "bytes=0x1-2",
    "bytes=1 -2",
    "bytes=2-1",
    "bytes=0-0,2-3",
    "bytes=0-0, -1",
    "items=0-1",
    "0-499",
  ])("%j is answered with the whole file", (header) => {
    expect(parseRange(header, 10_000)).toEqual({ kind: "whole" });
  });
});

describe("an empty file", () => {
  it.each(["bytes=0-", "bytes=0-0", "bytes=-0"])("%s has no byte", (header) => {
    expect(parseRange(header, 0)).toEqual({ kind: "unsatisfiable" });
  });

  it("is never answered with a part", () => {
    expect(parseRange("bytes=-5", 0).kind).not.toBe("part");
  });
});

it("the last byte of the largest file can be requested", () => {
  const size = 50 * 1024 ** 3;
  expect(parseRange(`bytes=${size - 1}-`, size)).toEqual(part(size - 1, 1));
  expect(parseRange(`bytes=${size}-`, size)).toEqual({ kind: "unsatisfiable" });
});
