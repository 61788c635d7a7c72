import { describe, expect, it } from "vitest";
import { findProtectionErrors, stepLimit } from "#app/ui/protection/protection-draft.ts";

describe("the fields of the guards", () => {
  it.each([
    [{ password: "", limit: "" }, {}],
    [{ password: "123456", limit: "1" }, {}],
    [{ password: "ab cd ef", limit: "1000" }, {}],
    [{ password: "12345", limit: "" }, { password: "linkPasswordLength" }],
    [{ password: "x".repeat(128), limit: "" }, {}],
    [{ password: "x".repeat(129), limit: "" }, { password: "linkPasswordLength" }],
    [{ password: "", limit: "0" }, { limit: "maxDownloadsRange" }],
    [{ password: "", limit: "1001" }, { limit: "maxDownloadsRange" }],
    [{ password: "", limit: "1.5" }, { limit: "maxDownloadsRange" }],
    [{ password: "", limit: "-1" }, { limit: "maxDownloadsRange" }],
    [{ password: "", limit: "1e2" }, { limit: "maxDownloadsRange" }],
    [
      { password: "a", limit: "many" },
      { password: "linkPasswordLength", limit: "maxDownloadsRange" },
    ],
  ])("%j has the errors %j [GRD-2]", (draft, errors) => {
    expect(findProtectionErrors(draft)).toEqual(errors);
  });

  it("an empty password is an error where one is needed", () => {
    expect(findProtectionErrors({ password: "", limit: "" }, { needsPassword: true })).toEqual({
      password: "linkPasswordLength",
    });
    expect(findProtectionErrors({ password: "123456", limit: "" }, { needsPassword: true })).toEqual({});
  });
});

describe("one download more or fewer", () => {
  it.each([
    ["", 1, "1"],
    ["", -1, ""],
    ["1", 1, "2"],
    ["2", -1, "1"],
    ["1", -1, ""],
    ["999", 1, "1000"],
    ["1000", 1, "1000"],
    ["many", 1, "1"],
    ["many", -1, ""],
  ] as const)("%j and %i are %j", (limit, step, next) => {
    expect(stepLimit(limit, step)).toBe(next);
  });

  it("brings a number that is too high back into the range", () => {
    expect(stepLimit("5000", -1)).toBe("1000");
  });
});
