import { expect, it } from "vitest";
import { defaultTitle, EMPTY_LIST, extendList } from "#app/features/upload/transfer/chosen-list.ts";
import { translatorFor } from "#messages/compiled.ts";

const listOfPaths = (paths: string[]) =>
  extendList(
    EMPTY_LIST,
    paths.map((path) => ({ path, file: new File(["x"], path) })),
  ).list;

it.each([
  [["Holiday/a.txt", "Holiday/b/c.txt"], "Holiday"],
  [["Holiday/a.txt", "a.txt"], "Holiday and a.txt"],
  [["Holiday", "Work/a.txt"], "Work and Holiday"],
  [["a.txt", "b.txt", "Work/c.txt", "Work/d.txt"], "Work and 2 more"],
  [["one.txt"], "one.txt"],
  [[], ""],
])("the title of %j is %j", (paths, title) => {
  expect(defaultTitle(listOfPaths(paths), translatorFor("en", "transferUpload"))).toBe(title);
});

it("the title is in the person's language [TRF-50]", () => {
  const list = listOfPaths(["a.txt", "b.txt", "Urlaub/c.txt"]);
  expect(defaultTitle(list, translatorFor("de", "transferUpload"))).toBe("Urlaub und 2 weitere");
});

it("of two names that are too long together, the first is the title", () => {
  const first = "a".repeat(200);
  const list = listOfPaths([first, "b".repeat(100)]);
  expect(defaultTitle(list, translatorFor("en", "transferUpload"))).toBe(first);
});
