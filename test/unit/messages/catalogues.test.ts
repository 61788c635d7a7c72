import compile from "icu-minify/compile";
import type { CompiledMessage } from "icu-minify/format";
import { describe, expect, it } from "vitest";
import { LOCALES } from "#domain/locale.ts";
import { compiledGroup } from "#messages/compiled.ts";
import { de } from "#messages/de/index.ts";
import { en } from "#messages/en/index.ts";
import type { Group } from "#messages/messages.ts";

const GROUPS = Object.keys(en) as Group[];

/** What a message wants: its values and its tags, whatever their order. */
function wanted(message: CompiledMessage): string[] {
  const names = new Set<string>();
  const read = (node: unknown): void => {
    if (!Array.isArray(node)) {
      if (typeof node === "object" && node !== null) Object.values(node).forEach(read);
      return;
    }
    const [name, ...rest] = node as unknown[];
    if (typeof name === "string") names.add(name);
    rest.forEach((child) => {
      if (typeof child === "object") read(child);
    });
  };
  if (Array.isArray(message)) message.filter((node) => typeof node === "object").forEach(read);
  return [...names].sort();
}

describe.each(GROUPS)("the messages of %s", (group) => {
  it("are the same in every language, and want the same values", () => {
    expect(Object.keys(de[group]).sort()).toEqual(Object.keys(en[group]).sort());
    const others = de[group] as Record<string, string>;
    for (const [name, text] of Object.entries(en[group])) {
      expect.soft(wanted(compile(others[name] ?? "")), name).toEqual(wanted(compile(text)));
    }
  });

  it("say something", () => {
    for (const locale of LOCALES) {
      for (const [name, message] of Object.entries(compiledGroup(locale, group))) {
        expect.soft(message, `${locale} ${name}`).not.toEqual("");
      }
    }
  });
});
