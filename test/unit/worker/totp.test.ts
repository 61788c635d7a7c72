import { generateSync } from "otplib";
import { describe, expect, it } from "vitest";
import { endOfStep, findStepOfTime } from "#worker/accounts/totp.ts";

const SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
/** The last millisecond of the step of time 59,833,333. */
const NOW = 1_795_000_019_999;
const codeAt = (steps: number) => generateSync({ secret: SECRET, epoch: Math.floor(NOW / 1000) + 30 * steps });

describe("a code of an authenticator app", () => {
  it.each([
    [-1, 59_833_332],
    [0, 59_833_333],
    [1, 59_833_334],
  ])("is taken %i steps off [AUTH-34]", (steps, expected) => {
    expect(findStepOfTime(SECRET, codeAt(steps), NOW)).toBe(expected);
  });

  it.each([-2, 2])("is refused %i steps off [AUTH-34]", (steps) => {
    expect(findStepOfTime(SECRET, codeAt(steps), NOW)).toBeNull();
  });

  it("is last taken in the step after its own", () => {
    expect(endOfStep(59_833_333)).toBe(1_795_000_050_000);
  });
});
