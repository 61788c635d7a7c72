import { describe, expect, it } from "vitest";
import { AppError, ERRORS, type ErrorCode } from "#domain/errors.ts";
import { GIB } from "#domain/units.ts";
import { localizedError, localizedFieldError, translateError } from "#worker/errors/translate-error.ts";

const CODES = Object.keys(ERRORS) as ErrorCode[];

describe("an error's message", () => {
  it.each(CODES)("%s has the table's message in English and another one in German", (code) => {
    const error = new AppError(code);
    expect(translateError(error, "en")).toBe(ERRORS[code].message);
    expect(translateError(error, "de")).not.toBe(ERRORS[code].message);
  });

  it("may be more specific than the code's, with sizes and times in the reader's language", () => {
    const tooLarge = localizedError(
      "PLAN_LIMIT_EXCEEDED",
      "overPlan",
      { size: { bytes: 1.5 * GIB } },
      { planLimitExceeded: true },
    );
    expect(tooLarge.message).toBe("This file is larger than your plan allows (1.5 GB). Upgrade to send it.");
    expect(translateError(tooLarge, "en")).toBe(tooLarge.message);
    expect(translateError(tooLarge, "de")).toBe(
      "Diese Datei ist größer, als dein Tarif erlaubt (1,5\u00a0GB). Wechsle in einen größeren Tarif, um sie zu senden.",
    );
    const tooLong = localizedError("PLAN_LIMIT_EXCEEDED", "keepsTooLong", {
      expiration: { expiration: "30d" },
      plan: "Basic",
    });
    expect(tooLong.message).toBe("The expiry “30 days” requires the Basic plan.");
    expect(translateError(tooLong, "de")).toContain("30 Tage");
  });

  it.each([
    ["tooOftenSeconds", 1, "1 second and", "1 Sekunde"],
    ["tooOftenSeconds", 2, "2 seconds and", "2 Sekunden"],
    ["tooOftenMinutes", 90, "90 minutes and", "90 Minuten"],
    ["tooOftenHours", 24, "24 hours and", "24 Stunden"],
  ] as const)("has the plural of its language: %s, %i", (name, count, english, german) => {
    const error = localizedError("RATE_LIMITED", name, { count });
    expect(error.message).toBe(`Too many attempts. Please wait ${english} try again.`);
    expect(translateError(error, "de")).toBe(
      `Zu viele Versuche. Bitte warte ${german} und versuche es dann noch einmal.`,
    );
  });

  it.each([
    [1, "1 file has not arrived yet.", "1\u00a0Datei ist noch nicht angekommen."],
    [1200, "1,200 files have not arrived yet.", "1.200\u00a0Dateien sind noch nicht angekommen."],
  ])("counts %d missing files of a transfer", (count, english, german) => {
    const error = localizedError("UPLOAD_INCOMPLETE", "entriesMissing", { count });
    expect(error.message).toBe(english);
    expect(translateError(error, "de")).toBe(german);
  });

  it("leaves no trace of its translation in the response body", () => {
    const error = localizedError("RATE_LIMITED", "tooOftenSeconds", { count: 30 }, { retryAfterSeconds: 30 });
    expect(error.with({ error: "E" }).toJSON()).toEqual({
      message: "Too many attempts. Please wait 30 seconds and try again.",
      code: "RATE_LIMITED",
      retryAfterSeconds: 30,
      error: "E",
    });
    expect(translateError(error.with({ error: "E" }), "de")).toContain("30 Sekunden");
  });

  it("is the form's message for an invalid field", () => {
    const error = localizedFieldError("fields", "passwordsDiffer", { field: "confirmPassword" });
    expect(error).toMatchObject({ code: "BAD_REQUEST", message: "Passwords don't match" });
    expect(translateError(error, "de")).toBe("Die Passwörter stimmen nicht überein");
    const ofRecord = localizedFieldError("recordFields", "keywordsMissing", { field: "keywords" });
    expect(ofRecord).toMatchObject({ code: "BAD_REQUEST", message: "Keywords are required" });
    expect(translateError(ofRecord, "de")).toBe("Die Stichwörter fehlen");
  });

  it("stays in English when only developers read it", () => {
    const error = new AppError("BAD_REQUEST", { message: "This is not an ETag." });
    expect(translateError(error, "de")).toBe("This is not an ETag.");
  });
});
