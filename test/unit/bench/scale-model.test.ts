import { describe, expect, it } from "vitest";
import { meanOf, scaleOf, type Site } from "../../../bench/scale/model.ts";

const UPLOAD = { statements: 20, rowsRead: 30, rowsWritten: 25, liveBytes: 100, rowBytes: 1000, logBytes: 500 };
const DOWNLOAD = { statements: 4, rowsRead: 7, rowsWritten: 2 };
const SITE: Site = {
  uploadsPerDay: 100_000,
  downloadsPerDay: 1_000_000,
  lifetimeDays: 7,
  endedFileDays: 30,
  uploadLogDays: 90,
  otherBytes: 100_000_000,
  limitBytes: 10_000_000_000,
  peak: 4,
  statementsPerSecond: 1000,
};

describe("what one database carries", () => {
  it("each kind of bytes counts for the days for which it is kept [GROW-5]", () => {
    // 100 B for 7 days, 1,000 B for 37 and 500 B for 90 days are 82,700 B for each daily upload.
    expect(scaleOf(UPLOAD, DOWNLOAD, SITE)).toEqual({
      steadyBytes: 8_370_000_000,
      daysUntilFull: null,
      // 2,000,000 and 4,000,000 statements a day are 69.4 a second, and four times as many at the peak.
      statementsPerSecondAtPeak: 6_000_000 / 21_600,
      // 9,900,000,000 / 82,700
      mostUploadsPerDay: 119_709,
      // 21,600,000 statements a day, less 2,000,000, by 4
      mostDownloadsPerDay: 4_900_000,
    });
  });

  it("says on which day the database is full, before and after rows begin to go", () => {
    const full = (limitBytes: number) => scaleOf(UPLOAD, DOWNLOAD, { ...SITE, limitBytes }).daysUntilFull;
    // 160,000,000 B a day for a week, then 150,000,000 B a day until day 37, then 50,000,000 B a day until day 90.
    expect(full(100_000_000 + 160_000_000 * 5 - 1)).toBe(4);
    expect(full(100_000_000 + 160_000_000 * 5)).toBe(5);
    expect(full(100_000_000 + 160_000_000 * 7 + 150_000_000 * 3)).toBe(10);
    expect(full(8_369_999_999)).toBe(89);
    expect(full(8_370_000_000)).toBeNull();
    expect(full(0)).toBe(0);
  });

  it("uploads alone may take all statements", () => {
    const figures = scaleOf(UPLOAD, DOWNLOAD, { ...SITE, uploadsPerDay: 2_000_000 });
    expect(figures.mostDownloadsPerDay).toBe(0);
    expect(figures.daysUntilFull).toBe(3);
  });
});

describe("the mean of several kinds", () => {
  it("weighs each by its share", () => {
    const uses = { small: UPLOAD, large: { ...UPLOAD, statements: 120, liveBytes: 0 } };
    expect(meanOf(uses, { small: 0.75, large: 0.25 })).toEqual({ ...UPLOAD, statements: 45, liveBytes: 75 });
  });

  it("rejects shares that do not add up", () => {
    expect(() => meanOf({ a: DOWNLOAD, b: DOWNLOAD }, { a: 0.5, b: 0.4 })).toThrow("the shares add up to 0.9");
  });
});
