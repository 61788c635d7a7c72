import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { browserPorts } from "#app/features/upload/browser/browser-ports.ts";
import { pause } from "#engine/timing.ts";
import { ApiError } from "#engine/api-error.ts";
import { backoffMs, isRetryableCall, MAX_RETRIES, retryUploadStep } from "#engine/upload-step.ts";

const connection = { onLine: true };
const browserWindow = new EventTarget();

beforeEach(() => {
  vi.useFakeTimers();
  connection.onLine = true;
  vi.stubGlobal("navigator", connection);
  vi.stubGlobal("addEventListener", browserWindow.addEventListener.bind(browserWindow));
  vi.spyOn(console, "warn").mockReturnValue();
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function comeOnline(): void {
  connection.onLine = true;
  browserWindow.dispatchEvent(new Event("online"));
}

const always = () => true;

/** A step that fails this many times, and records the time of each attempt. */
function failing(times: number) {
  const attemptTimes: number[] = [];
  const startedAt = Date.now();
  const step = (retry: number): Promise<string> => {
    attemptTimes.push(Date.now() - startedAt);
    return retry < times ? Promise.reject(new Error(`failure ${retry + 1}`)) : Promise.resolve("done");
  };
  return { step, attemptTimes };
}

describe("the wait before a retry", () => {
  it.each([
    [1, 1000],
    [2, 2000],
    [3, 4000],
    [4, 8000],
    [5, 10_000],
    [30, 10_000],
  ])("no. %d is at most %d ms and at least half of it", (retry, longest) => {
    expect(backoffMs(retry, 1)).toBe(longest);
    expect(backoffMs(retry, 0)).toBe(longest / 2);
    expect(backoffMs(retry, 0.5)).toBe(longest * 0.75);
  });
});

describe("a step that fails", () => {
  it("is retried three times, each after a longer wait, and then throws its last error [UP-23]", async () => {
    expect(MAX_RETRIES).toBe(3);
    const { step, attemptTimes } = failing(Infinity);
    const outcome = expect(
      retryUploadStep(browserPorts, "part 3 of 12", step, always, new AbortController().signal),
    ).rejects.toThrow("failure 4");
    await vi.runAllTimersAsync();
    await outcome;
    expect(attemptTimes).toHaveLength(4);
    const waits = attemptTimes.slice(1).map((at, index) => at - (attemptTimes[index] ?? NaN));
    [1000, 2000, 4000].forEach((longest, index) => {
      expect(waits[index]).toBeGreaterThanOrEqual(longest / 2);
      expect(waits[index]).toBeLessThanOrEqual(longest);
    });
  });

  it.each([
    [500, true],
    [503, true],
    [429, true],
    [507, false],
    [404, false],
  ])("that is a call answered %i may be retried: %s", (status, isRetried) => {
    expect(isRetryableCall(new ApiError(status, "Refused."))).toBe(isRetried);
  });

  it("waits as long as an overloaded server asks for, but at most a minute", async () => {
    for (const [retryAfterSeconds, expectedMs] of [
      [12, 12_000],
      [3600, 60_000],
    ] as const) {
      const startedAt = Date.now();
      const step = (retry: number) =>
        retry === 0
          ? Promise.reject(new ApiError(503, "Too much is going on.", { retryAfterSeconds }))
          : Promise.resolve(Date.now() - startedAt);
      const outcome = retryUploadStep(browserPorts, "batch", step, isRetryableCall, new AbortController().signal);
      await vi.runAllTimersAsync();
      expect(await outcome).toBe(expectedMs);
    }
  });

  it("writes one warning for each retry, and none for the last failure", async () => {
    const { step } = failing(Infinity);
    const policy = { maxRetries: 2, waitMs: (retry: number) => retry * 500 };
    const { signal } = new AbortController();
    const outcome = expect(retryUploadStep(browserPorts, "part 3 of 12", step, always, signal, policy)).rejects.toThrow(
      "failure 3",
    );
    await vi.runAllTimersAsync();
    await outcome;
    expect(vi.mocked(console.warn).mock.calls).toEqual([
      ["Upload: part 3 of 12 failed in attempt 1 (Error: failure 1). Next attempt in 500 ms."],
      ["Upload: part 3 of 12 failed in attempt 2 (Error: failure 2). Next attempt in 1000 ms."],
    ]);
  });

  it.each([0, 1, 2, 3])("%d times succeeds in the end", async (times) => {
    const { step, attemptTimes } = failing(times);
    const outcome = retryUploadStep(browserPorts, "part 3 of 12", step, always, new AbortController().signal);
    await vi.runAllTimersAsync();
    expect(await outcome).toBe("done");
    expect(attemptTimes).toHaveLength(times + 1);
  });

  it("for good is not retried", async () => {
    const { step, attemptTimes } = failing(Infinity);
    const isRetryable = vi.fn(() => false);
    await expect(
      retryUploadStep(browserPorts, "part 3 of 12", step, isRetryable, new AbortController().signal),
    ).rejects.toThrow("failure 1");
    expect(isRetryable).toHaveBeenCalledWith(new Error("failure 1"));
    expect(attemptTimes).toEqual([0]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a cancel", () => {
  it("ends the wait at once and prevents the retry", async () => {
    const { step, attemptTimes } = failing(Infinity);
    const abort = new AbortController();
    const outcome = expect(
      retryUploadStep(browserPorts, "part 3 of 12", step, always, abort.signal),
    ).rejects.toMatchObject({
      name: "AbortError",
      message: "Upload aborted",
    });
    await vi.advanceTimersByTimeAsync(400);
    abort.abort();
    await outcome;
    expect(attemptTimes).toEqual([0]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("during the step prevents the retry", async () => {
    const abort = new AbortController();
    const step = vi.fn(() => {
      abort.abort();
      return Promise.reject(new Error("cut off"));
    });
    await expect(retryUploadStep(browserPorts, "part 3 of 12", step, always, abort.signal)).rejects.toThrow("cut off");
    expect(step).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("before the wait rejects at once", async () => {
    await expect(pause(1000, AbortSignal.abort())).rejects.toMatchObject({ name: "AbortError" });
    expect(vi.getTimerCount()).toBe(0);
  });

  it("after the wait has no effect", async () => {
    const abort = new AbortController();
    const wait = pause(1000, abort.signal);
    await vi.advanceTimersByTimeAsync(1000);
    abort.abort();
    await expect(wait).resolves.toBeUndefined();
  });
});

describe("a browser that is offline", () => {
  it("pauses a step until it is online again", async () => {
    connection.onLine = false;
    const { step, attemptTimes } = failing(0);
    const outcome = retryUploadStep(browserPorts, "part 3 of 12", step, always, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(attemptTimes).toEqual([]);
    comeOnline();
    expect(await outcome).toBe("done");
  });

  it("uses no retry, however often it goes offline", async () => {
    let tries = 0;
    const step = (retry: number) => {
      tries += 1;
      if (tries > 10) return Promise.resolve(retry);
      connection.onLine = false;
      return Promise.reject(new Error("offline"));
    };
    const outcome = retryUploadStep(browserPorts, "part 3 of 12", step, () => false, new AbortController().signal);
    for (let time = 0; time < 10; time += 1) {
      await vi.advanceTimersByTimeAsync(1);
      comeOnline();
    }
    expect(await outcome).toBe(0);
    expect(tries).toBe(11);
    expect(console.warn).toHaveBeenCalledTimes(10);
    expect(console.warn).toHaveBeenLastCalledWith(
      "Upload: part 3 of 12 failed in attempt 10 (Error: offline). Next attempt when the browser is online.",
    );
  });

  it("can be cancelled at once", async () => {
    connection.onLine = false;
    const abort = new AbortController();
    const { step, attemptTimes } = failing(0);
    const outcome = expect(
      retryUploadStep(browserPorts, "part 3 of 12", step, always, abort.signal),
    ).rejects.toMatchObject({
      name: "AbortError",
    });
    abort.abort();
    await outcome;
    comeOnline();
    expect(attemptTimes).toEqual([]);
  });
});
