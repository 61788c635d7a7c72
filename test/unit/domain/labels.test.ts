import { describe, expect, it } from "vitest";
import { labels } from "#domain/wire.ts";

describe("the labels of a link", () => {
  it("lose spaces at their ends, have accents in one form, and none comes twice [FIND-4]", () => {
    expect(labels.parse([" Customer A ", "u\u0308ber", "customer a"])).toEqual(["Customer A", "\u00fcber"]);
    expect(labels.parse([])).toEqual([]);
  });

  it.each([
    ["six labels", ["a", "b", "c", "d", "e", "f"]],
    ["an empty label", [" "]],
    ["31 characters", ["x".repeat(31)]],
    ["a line break", ["a\nb"]],
    ["a direction override", ["a\u202eb"]],
    ["half a character", ["a\ud800"]],
    ["a number", [7]],
    ["text", "a"],
  ])("cannot be %s [FIND-4]", (_, value) => {
    expect(labels.safeParse(value).success).toBe(false);
  });
});
