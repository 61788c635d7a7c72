import { describe, expect, it } from "vitest";
import { regionOf } from "#app/lib/i18n/formats.ts";

describe("the regional locale for a page's language", () => {
  it.each([
    ["en", ["de-AT", "en-GB", "en-US"], "en-GB"],
    ["de", ["en-GB", "de-AT"], "de-AT"],
    ["de", ["en-GB"], "de"],
    ["en", ["en"], "en"],
    ["en", [], "en"],
    ["en", ["en-US@posix"], "en"],
    ["en", ["en-US@posix", "en-IE"], "en-IE"],
  ] as const)("%s among %j is %s", (locale, languages, region) => {
    expect(regionOf(locale, languages)).toBe(region);
    expect(() => new Date(0).toLocaleString(region)).not.toThrow();
  });
});
