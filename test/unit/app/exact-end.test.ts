import { describe, expect, it } from "vitest";
import { findEndProblem, latestEnd, suggestEnd, toField } from "#app/lib/exact-end.ts";
import { DEFAULT_CHOICE, isChoiceWrong, optionsOf } from "#app/features/upload/link-choice.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
/** In the time zone of the test's machine, as a person reads the clock. */
const NOON = new Date(2026, 11, 4, 12, 0).getTime();

describe("the field of an exact end", () => {
  it("shows a moment in the reader's time zone, and gives the same moment back [END-6]", () => {
    expect(toField(NOON)).toBe("2026-12-04T12:00");
    expect(toField(NOON + 59_999)).toBe("2026-12-04T12:00");
    // In summer, the offset differs in most time zones.
    const summer = new Date(2026, 6, 1, 18, 30).getTime();
    expect(toField(summer)).toBe("2026-07-01T18:30");
    expect(new Date(toField(summer)).getTime()).toBe(summer);
  });

  it("begins with six in the evening of the next day, or with the plan's latest end [END-6]", () => {
    expect(suggestEnd("free", NOON)).toBe("2026-12-05T18:00");
    expect(suggestEnd("ultimate", NOON)).toBe("2026-12-05T18:00");
    expect(suggestEnd("free", NOON, NOON - 2 * DAY)).toBe("2026-12-05T12:00");
  });

  it.each([
    ["free", 3 * DAY],
    ["professional", 60 * DAY],
  ] as const)("is at most the longest expiry of %s ahead [END-2]", (plan, longestMs) => {
    expect(latestEnd(plan, NOON)).toBe(NOON + longestMs);
    expect(findEndProblem(toField(NOON + longestMs), plan, NOON)).toBeNull();
    expect(findEndProblem(toField(NOON + longestMs + MINUTE), plan, NOON)).toBe("tooFar");
    // A finished upload counts from its end.
    expect(findEndProblem(toField(NOON + longestMs), plan, NOON, NOON - MINUTE)).toBe("tooFar");
  });

  it("is any moment ahead on a plan that keeps files forever [END-2]", () => {
    expect(latestEnd("ultimate", NOON)).toBeNull();
    expect(findEndProblem("2099-01-01T00:00", "ultimate", NOON)).toBeNull();
  });

  it("is refused while it is incomplete, past, or less than a minute ahead [END-3]", () => {
    expect(findEndProblem("", "ultimate", NOON)).toBe("missing");
    expect(findEndProblem("2026-12-04T11:59", "ultimate", NOON)).toBe("tooNear");
    expect(findEndProblem("2026-12-04T12:01", "ultimate", NOON + 1)).toBe("tooNear");
    expect(findEndProblem("2026-12-04T12:01", "ultimate", NOON)).toBeNull();
  });
});

describe("a card's choice of an exact end", () => {
  it("is sent as a moment in UTC, in place of the expiration [END-6]", () => {
    const end = toField(NOON);
    expect(optionsOf({ ...DEFAULT_CHOICE, end }).expiresAt).toBe(new Date(2026, 11, 4, 12, 0).toISOString());
    expect(optionsOf(DEFAULT_CHOICE).expiresAt).toBeUndefined();
  });

  it("keeps the file back while the end or the protection is wrong [END-3]", () => {
    expect(isChoiceWrong(DEFAULT_CHOICE)).toBe(false);
    expect(isChoiceWrong({ ...DEFAULT_CHOICE, end: "", isEndWrong: true })).toBe(true);
    expect(isChoiceWrong({ ...DEFAULT_CHOICE, isProtectionWrong: true })).toBe(true);
  });
});
