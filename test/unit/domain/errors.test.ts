import { describe, expect, it } from "vitest";
import { AppError, ERRORS, type ErrorCode } from "#domain/errors.ts";

const CODES = Object.keys(ERRORS) as ErrorCode[];

describe("an error", () => {
  it.each(CODES)("%s has an error status and a message", (code) => {
    const { status, message } = ERRORS[code];
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
    expect(message).toMatch(/^[A-Z].{10,}/);
    expect(new AppError(code)).toMatchObject({ status, message, code });
  });

  it.each<[ErrorCode, number]>([
    ["PATH_REFUSED", 400],
    ["UNAUTHORIZED", 401],
    ["PLAN_LIMIT_EXCEEDED", 403],
    ["FILE_NOT_FOUND", 404],
    ["UPLOAD_UNFINISHED", 409],
    ["ENTRY_CONFLICT", 409],
    ["OBJECT_CONFLICT", 409],
    ["TOTALS_EXCEEDED", 409],
    ["FILE_EXPIRED", 410],
    ["FILE_TOO_LARGE", 413],
    ["RANGE_NOT_SATISFIABLE", 416],
    ["OBJECT_MISMATCH", 422],
    ["RATE_LIMITED", 429],
  ])("%s has the status %d", (code, status) => {
    expect(new AppError(code).status).toBe(status);
  });

  it("is serialized as its message, its code and its details", () => {
    const error = new AppError("PLAN_LIMIT_EXCEEDED", { message: "Too much.", planLimitExceeded: true });
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      message: "Too much.",
      code: "PLAN_LIMIT_EXCEEDED",
      planLimitExceeded: true,
    });
  });

  it("keeps its code when the details contain one", () => {
    expect(new AppError("NOT_FOUND", { code: "INTERNAL" }).toJSON()).toMatchObject({ code: "NOT_FOUND" });
  });
});
