import { describe, expect, it } from "vitest";
import { requestLocale } from "#domain/locale.ts";

describe("the language of a request", () => {
  it.each([
    [null, null, "en"],
    [null, "de", "de"],
    [null, "de-AT,de;q=0.9,en;q=0.8", "de"],
    [null, "fr, de;q=0.3, en;q=0.7", "en"],
    [null, "fr;q=1, de;q=0.7, en;q=0.7", "de"],
    [null, "de;q=0, en;q=0.1", "en"],
    [null, "de;q=0", "en"],
    [null, "DE", "de"],
    [null, "de;level=1;q=nonsense, *", "en"],
    [null, ";;;,,,=", "en"],
    ["locale=de", "en", "de"],
    ["theme=dark; locale=en", "de", "en"],
    ["locale=fr", "de", "de"],
    ["mylocale=de", "en", "en"],
  ])("%s and %s: %s", (cookie, acceptLanguage, locale) => {
    const headers = new Headers();
    if (cookie !== null) headers.set("cookie", cookie);
    if (acceptLanguage !== null) headers.set("accept-language", acceptLanguage);
    expect(requestLocale(headers)).toBe(locale);
  });
});
