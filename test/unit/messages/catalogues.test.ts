import compile from "icu-minify/compile";
import type { CompiledMessage } from "icu-minify/format";
import { describe, expect, it } from "vitest";
import { LOCALES } from "#domain/locale.ts";
import { CATALOGUES } from "#messages/catalogues.ts";
import { compiledGroup } from "#messages/compiled.ts";
import type { Group } from "#messages/messages.ts";

const { en, de } = CATALOGUES;
const GROUPS = Object.keys(en) as Group[];

/** A message's placeholders and tags, sorted. */
function placeholdersOf(message: CompiledMessage): string[] {
  const names = new Set<string>();
  const collect = (node: unknown): void => {
    if (!Array.isArray(node)) {
      if (typeof node === "object" && node !== null) Object.values(node).forEach(collect);
      return;
    }
    const [name, ...rest] = node as unknown[];
    // A text beside a number stands in the same place, but is no identifier.
    if (typeof name === "string" && /^\w+$/.test(name)) names.add(name);
    rest.forEach((child) => {
      if (typeof child === "object") collect(child);
    });
  };
  if (Array.isArray(message)) message.filter((node) => typeof node === "object").forEach(collect);
  return [...names].sort();
}

describe.each(GROUPS)("the message group %s", (group) => {
  it("has the same messages and placeholders in every language", () => {
    expect(Object.keys(de[group]).sort()).toEqual(Object.keys(en[group]).sort());
    const others = de[group] as Record<string, string>;
    for (const [name, text] of Object.entries(en[group])) {
      expect.soft(placeholdersOf(compile(others[name] ?? "")), name).toEqual(placeholdersOf(compile(text)));
    }
  });

  it("has no empty message", () => {
    for (const locale of LOCALES) {
      for (const [name, message] of Object.entries(compiledGroup(locale, group))) {
        expect.soft(message, `${locale} ${name}`).not.toEqual("");
      }
    }
  });
});
