import { describe, expect, it } from "vitest";
import { isDelivered, isToBeDisabled, nextAttemptAt, readRetryAfter } from "#domain/webhooks/delivery.ts";

const MINUTE = 60_000;
const HOUR = 3_600_000;

describe("the tries of a delivery", () => {
  it("come after 1, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours, and then end", () => {
    const delays = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((attempts) => nextAttemptAt(attempts, 0, 0, null));
    expect(delays).toEqual([
      MINUTE,
      5 * MINUTE,
      30 * MINUTE,
      2 * HOUR,
      5 * HOUR,
      10 * HOUR,
      14 * HOUR,
      20 * HOUR,
      24 * HOUR,
      null,
    ]);
  });

  it("are put off by up to a fifth by chance", () => {
    expect(nextAttemptAt(1, 1_000_000, 0.5, null)).toBe(1_066_000);
    expect(nextAttemptAt(1, 1_000_000, 1, null)).toBe(1_072_000);
  });

  it("wait as long as the receiver asks, at most a day, and never less than planned", () => {
    expect(nextAttemptAt(1, 0, 0, 10 * MINUTE)).toBe(10 * MINUTE);
    expect(nextAttemptAt(2, 0, 0, MINUTE)).toBe(5 * MINUTE);
    expect(nextAttemptAt(1, 0, 0, 1000 * HOUR)).toBe(24 * HOUR);
    expect(nextAttemptAt(10, 0, 0, MINUTE)).toBeNull();
  });
});

describe("Retry-After", () => {
  const now = Date.UTC(2026, 10, 23, 12, 0, 0);

  it("is seconds or a date", () => {
    expect(readRetryAfter("120", now)).toBe(120_000);
    expect(readRetryAfter("Mon, 23 Nov 2026 12:00:30 GMT", now)).toBe(30_000);
    expect(readRetryAfter("Mon, 23 Nov 2026 11:00:00 GMT", now)).toBe(0);
  });

  it.each([null, "", "-5", "1.5", "soon", "99999999999"])("is not %j", (header) => {
    expect(readRetryAfter(header, now)).toBeNull();
  });
});

describe("an answer", () => {
  it.each([
    [199, false],
    [200, true],
    [204, true],
    [299, true],
    [301, false],
    [307, false],
    [404, false],
    [500, false],
  ])("%i: delivered %s", (status, expected) => {
    expect(isDelivered(status)).toBe(expected);
  });

  it("410, or three days of failures, switches the webhook off", () => {
    expect(isToBeDisabled(410, 0, 0)).toBe(true);
    expect(isToBeDisabled(404, 0, 72 * HOUR - 1)).toBe(false);
    expect(isToBeDisabled(404, 0, 72 * HOUR)).toBe(true);
    expect(isToBeDisabled(null, 0, 72 * HOUR)).toBe(true);
  });
});
