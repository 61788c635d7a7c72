import { describe, expect, it } from "vitest";
import { searchedNames } from "#domain/transfers/searched-names.ts";

describe("the names by which a search finds a transfer", () => {
  it("are those of its files and folders, each once and in lower case [FIND-2]", () => {
    expect(searchedNames(["Trip/Straße Ä.JPG", "Trip/day 2/b.txt", "c.txt", "empty/"])).toBe(
      "trip\nstraße ä.jpg\nday 2\nb.txt\nc.txt\nempty",
    );
    expect(searchedNames([])).toBe("");
  });

  it("are the first 3,000 characters of whole names [FIND-2]", () => {
    const paths = Array.from({ length: 10_000 }, (_, n) => `IMG_${String(n).padStart(5, "0")}.jpg`);
    const names = searchedNames(paths);
    // 214 names of 13 characters with the 213 line breaks between them.
    expect(names).toHaveLength(2995);
    expect(names.split("\n").at(-1)).toBe("img_00213.jpg");
    expect(searchedNames(["x".repeat(3000)])).toHaveLength(3000);
    expect(searchedNames(["a", "x".repeat(3000), "b"])).toBe("a");
  });
});
