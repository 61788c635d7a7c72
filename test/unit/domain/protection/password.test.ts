import { describe, expect, it } from "vitest";
import { generateLinkPassword, normalizeLinkPassword } from "#domain/protection/link-protection.ts";

describe("a link's password", () => {
  it.each([
    ["12345", false],
    ["123456", true],
    ["x".repeat(128), true],
    ["x".repeat(129), false],
    ["🔑".repeat(5), false],
    ["🔑".repeat(128), true],
    ["", false],
  ])("of these characters: %s may be used: %s", (password, isAllowed) => {
    expect(normalizeLinkPassword(password)).toBe(isAllowed ? password : null);
  });

  it("is the same on every keyboard", () => {
    expect(normalizeLinkPassword("Schlu\u0308ssel")).toBe("Schl\u00fcssel");
  });

  it("keeps its spaces and capitals", () => {
    expect(normalizeLinkPassword(" Two Words ")).toBe(" Two Words ");
  });
});

describe("a generated password", () => {
  it("has twelve characters in three groups, and no two that look alike", () => {
    for (let round = 0; round < 100; round += 1) {
      expect(generateLinkPassword()).toMatch(/^[a-km-np-z2-9]{4}-[a-km-np-z2-9]{4}-[a-km-np-z2-9]{4}$/);
    }
  });

  it("uses each of 32 characters as often, and never repeats", () => {
    const counts = new Map<string, number>();
    const passwords = Array.from({ length: 4000 }, generateLinkPassword);
    for (const character of passwords.join("").replaceAll("-", ""))
      counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).toBe(32);
    // 1500 are expected of each; the standard deviation is 38.
    for (const count of counts.values()) expect(Math.abs(count - 1500)).toBeLessThan(300);
    expect(new Set(passwords).size).toBe(4000);
  });
});
