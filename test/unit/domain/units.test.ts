import { describe, expect, it } from "vitest";
import {
  countdown,
  DAY_MS,
  formatBytes,
  formatDuration,
  GIB,
  HOUR_MS,
  KIB,
  MIB,
  MINUTE_MS,
  SECOND_MS,
  TIB,
} from "#domain/units.ts";

describe("a formatted size", () => {
  it.each([
    [0, "0 Bytes"],
    [1, "1 Bytes"],
    [1023, "1023 Bytes"],
    [1024, "1 KB"],
    [1025, "1 KB"],
    [1536, "1.5 KB"],
    [1034, "1.01 KB"],
    [10 * KIB, "10 KB"],
    [MIB - 1, "1 MB"],
    [MIB, "1 MB"],
    [500 * MIB, "500 MB"],
    [100 * MIB + 1, "100 MB"],
    [1.25 * MIB, "1.25 MB"],
    [GIB - 1, "1 GB"],
    [10 * GIB, "10 GB"],
    [TIB - 1, "1 TB"],
    [TIB, "1 TB"],
    [2.5 * TIB, "2.5 TB"],
    [1024 ** 5, "1 PB"],
    [1024 ** 6, "1 EB"],
    [1024 ** 7, "1 ZB"],
    [1024 ** 8, "1 YB"],
    [1024 ** 9, "1024 YB"],
  ])("%d is %s [CONST-10]", (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  it("has the decimal mark of the reader's language, and in German a space that does not break", () => {
    expect(formatBytes(0, "de")).toBe("0\u00a0Bytes");
    expect(formatBytes(1.25 * MIB, "de")).toBe("1,25\u00a0MB");
    expect(formatBytes(MIB - 1, "de")).toBe("1\u00a0MB");
    expect(formatBytes(1023, "de")).toBe("1023\u00a0Bytes");
  });

  it("never shows 1024 of a unit or a third decimal", () => {
    for (let power = 1; power <= 8; power += 1) {
      for (const bytes of [1024 ** power - 1, 1024 ** power * 0.99999, 1024 ** power * 1.23456]) {
        expect(formatBytes(Math.floor(bytes))).not.toMatch(/^1024 |\.\d{3}/);
      }
    }
  });
});

describe("a formatted duration", () => {
  it.each([
    [0, "1 s"],
    [1, "1 s"],
    [1000, "1 s"],
    [1001, "2 s"],
    [MINUTE_MS, "60 s"],
    [MINUTE_MS + 1, "2 min"],
    [2 * MINUTE_MS, "2 min"],
    [59 * MINUTE_MS, "59 min"],
    [59 * MINUTE_MS + 1, "1 h"],
    [HOUR_MS, "1 h"],
    [HOUR_MS + 1, "1 h 1 min"],
    [90 * MINUTE_MS, "1 h 30 min"],
    [DAY_MS, "24 h"],
  ])("%d ms is %s", (durationMs, text) => {
    expect(formatDuration(durationMs)).toBe(text);
  });
});

describe("a file's countdown", () => {
  const UNITS = { day: "d", hour: "h", minute: "min", second: "s" };

  it.each([
    [-1, "0 s"],
    [0, "0 s"],
    [999, "0 s"],
    [1000, "1 s"],
    [MINUTE_MS - 1, "59 s"],
    [MINUTE_MS, "1 min 0 s"],
    [HOUR_MS - 1, "59 min 59 s"],
    [HOUR_MS, "1 h 0 min"],
    [DAY_MS - 1, "23 h 59 min"],
    [DAY_MS, "1 d 0 h 0 min"],
    [3 * DAY_MS - SECOND_MS, "2 d 23 h 59 min"],
    [365 * DAY_MS + 5 * HOUR_MS + 7 * MINUTE_MS, "365 d 5 h 7 min"],
  ])("%d ms is %s", (leftMs, text) => {
    const parts = countdown(leftMs).map(({ unit, count }) => `${count} ${UNITS[unit]}`);
    expect(parts.join(" ")).toBe(text);
  });
});
