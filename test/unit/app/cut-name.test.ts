import { describe, expect, it } from "vitest";
import { cutName } from "#app/ui/file-name.tsx";

describe("where a long name is cut", () => {
  it.each([
    ["Wedding selects, final version v2.zip", "Wedding selects, final versio", "n v2.zip"],
    ["holiday.numbers", "holi", "day.numbers"],
    ["Rough cut 4 of the film.mov", "Rough cut 4 of the ", "film.mov"],
    ["everything-of-2026.tar.gz", "everything-of-202", "6.tar.gz"],
    ["a name without an extension", "a name without an e", "xtension"],
    ["A sentence. Then a very long second one", "A sentence. Then a very lon", "g second one"],
    ["Kurz.txt", "", "Kurz.txt"],
    [".gitignore", "", ".gitignore"],
    ["", "", ""],
  ])("%j: the last eight characters stay, and up to twelve with an extension [DL-13]", (name, start, end) => {
    expect(cutName(name)).toEqual([start, end]);
  });

  it.each([
    [
      "accents that follow their letter",
      "re\u0301sume\u0301 de\u0301ja\u0300 vu\u0308.pdf",
      "re\u0301sume\u0301 de\u0301j",
      "a\u0300 vu\u0308.pdf",
    ],
    ["an emoji of several", "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦.jpg", "👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦.jpg"],
    ["flags", "🇩🇪🇫🇷🇮🇹🇪🇸🇵🇹.png", "🇩🇪", "🇫🇷🇮🇹🇪🇸🇵🇹.png"],
    ["Chinese", "婚礼照片最终版本二.zip", "婚礼照片最", "终版本二.zip"],
    ["Hebrew", "תמונות מהחתונה.zip", "תמונות מהח", "תונה.zip"],
    ["half of a character", "\uD83D".repeat(3) + "abcdefgh", "\uD83D".repeat(3), "abcdefgh"],
  ])("no character comes apart: %s [DL-13]", (_what, name, start, end) => {
    expect(cutName(name)).toEqual([start, end]);
  });
});
