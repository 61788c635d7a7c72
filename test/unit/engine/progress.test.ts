import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PROGRESS_REPORT_INTERVAL_MS, ProgressMeter, ProgressReporter, type Progress } from "#engine/progress.ts";

describe("upload progress", () => {
  it("is reported at most every 200 ms [UP-25]", () => {
    expect(PROGRESS_REPORT_INTERVAL_MS).toBe(200);
    const meter = new ProgressMeter(1000);
    expect(meter.update(10, 1000)).not.toBeNull();
    expect(meter.update(20, 1000)).toBeNull();
    expect(meter.update(30, 1199)).toBeNull();
    expect(meter.update(40, 1200)).toMatchObject({ loadedBytes: 40 });
    expect(meter.update(50, 1399)).toBeNull();
    expect(meter.update(60, 1400)).toMatchObject({ loadedBytes: 60 });
  });

  it("has no speed and no time left at first", () => {
    expect(new ProgressMeter(1000).update(0, 5)).toEqual({
      loadedBytes: 0,
      totalBytes: 1000,
      percent: 0,
      speed: 0,
      timeLeftMs: null,
    });
  });

  it("reports speed and time left", () => {
    const meter = new ProgressMeter(10_000);
    meter.update(0, 0);
    expect(meter.update(1000, 500)).toMatchObject({ speed: 2000, timeLeftMs: 4500, percent: 10 });
  });

  it("reports a time left of two days, and none beyond", () => {
    // 1,000 bytes a second.
    const timeLeftOf = (totalBytes: number) => {
      const meter = new ProgressMeter(totalBytes);
      meter.update(0, 0);
      return meter.update(1000, 1000)?.timeLeftMs;
    };
    expect(timeLeftOf(172_801_000)).toBe(172_800_000);
    expect(timeLeftOf(172_802_000)).toBeNull();
  });

  it("averages the speed over the last five samples [UP-24]", () => {
    const meter = new ProgressMeter(1_000_000);
    const loaded = [0, 100_000, 100_200, 100_400, 100_600, 100_800];
    const reports = loaded.map((bytes, index) => meter.update(bytes, index * 200));
    // The sixth report averages samples two to six: 800 bytes in 0.8 s.
    expect(reports[4]?.speed).toBeCloseTo(100_600 / 0.8);
    expect(reports[5]?.speed).toBeCloseTo(1000);
  });

  it("has no time left while nothing is sent", () => {
    const meter = new ProgressMeter(1000);
    meter.update(500, 0);
    expect(meter.update(500, 200)).toMatchObject({ speed: 0, timeLeftMs: null });
  });

  it("never decreases when a part is sent again, and never exceeds the file", () => {
    const meter = new ProgressMeter(1000);
    meter.update(800, 0);
    expect(meter.update(300, 200)).toMatchObject({ loadedBytes: 800, percent: 80 });
    expect(meter.update(5000, 400)).toMatchObject({ loadedBytes: 1000, percent: 100, timeLeftMs: 0 });
  });

  it("includes bytes that arrived too soon after the last report", () => {
    const meter = new ProgressMeter(1000);
    meter.update(0, 0);
    meter.update(900, 100);
    expect(meter.update(100, 200)).toMatchObject({ loadedBytes: 900 });
  });

  it.each([
    [999, 1000, 99],
    [1000, 1000, 100],
    [0, 0, 0],
    [1, 3, 33],
  ])("%d of %d bytes are %d percent, rounded down", (loaded, total, percent) => {
    expect(new ProgressMeter(total).update(loaded, 0)?.percent).toBe(percent);
  });
});

describe("progress reports", () => {
  let reports: number[];
  let speeds: number[];
  let timesLeft: (number | null)[];
  let reporter: ProgressReporter;

  beforeEach(() => {
    vi.useFakeTimers();
    reports = [];
    speeds = [];
    timesLeft = [];
    reporter = new ProgressReporter(1000, ({ loadedBytes, speed, timeLeftMs }: Progress) => {
      reports.push(loadedBytes);
      speeds.push(speed);
      timesLeft.push(timeLeftMs);
    });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("report what came too soon, even if nothing follows", () => {
    reporter.update(10);
    reporter.update(20);
    reporter.update(300);
    expect(reports).toEqual([10]);
    vi.advanceTimersByTime(200);
    expect(reports).toEqual([10, 300]);
  });

  it("come once a second while nothing moves, with a speed that falls and a time left that grows", () => {
    reporter.update(100);
    vi.advanceTimersByTime(500);
    reporter.update(200);
    vi.advanceTimersByTime(3000);
    expect(speeds).toEqual([0, 200, 200 / 3, 40, 200 / 7].map((speed) => expect.closeTo(speed, 5) as number));
    expect(reports).toEqual([100, 200, 200, 200, 200]);
    expect(timesLeft.slice(1)).toEqual([4000, 12_000, 20_000, 28_000].map((ms) => expect.closeTo(ms, 3) as number));
  });

  it("end with the last byte", () => {
    reporter.update(1000);
    vi.advanceTimersByTime(10_000);
    expect(reports).toEqual([1000]);
  });

  it("stop with the upload", () => {
    reporter.update(10);
    reporter.update(300);
    reporter.stop();
    vi.advanceTimersByTime(10_000);
    reporter.update(400);
    vi.advanceTimersByTime(10_000);
    expect(reports).toEqual([10]);
  });
});
