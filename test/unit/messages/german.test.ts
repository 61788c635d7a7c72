import { describe, expect, it } from "vitest";
import * as de from "#messages/de/index.ts";

const TEXTS = Object.entries(de).flatMap(([group, messages]) =>
  Object.entries(messages).map(([name, text]) => [`${group}.${name}`, text] as const),
);

/** The names of the messages that have it. */
function namesWith(pattern: RegExp): string[] {
  return TEXTS.filter(([, text]) => pattern.test(text)).map(([name]) => name);
}

describe("German texts", () => {
  it("have a space before a percent sign and a last ellipsis, which does not break (DIN 5008)", () => {
    expect(namesWith(/[^\u00a0]%/)).toEqual([]);
    expect(namesWith(/[^\u00a0]…$/)).toEqual(["errors.KEY_MISSING"]);
  });

  it("have German quotation marks, in pairs", () => {
    expect(namesWith(/["”‚‘’]|^[^„]*“|„[^“]*$/)).toEqual([]);
  });

  it("begin a sentence after a colon with a capital", () => {
    expect(namesWith(/: (?:wer|wir|öffne|trenne|wähle|sende|prüfe) /)).toEqual([]);
  });

  it.each([
    ["E-Mail", /(?<!-)\bMails?\b(?!-)/],
    ["Noch einmal versuchen", /[Ee]rneut versuchen/],
    ["Dateianfrage", /Upload-Anfrage|Anfragen? nach Dateien/],
    ["Übersicht", /Dashboard/],
    ["Übertragung", /Transfer/],
    ["Handy", /Telefon/],
    ["Upload", /(?:das|[Dd]ieses|ein) Hochladen /],
    ["du", /\bIhnen\b|\b(?:haben|können|möchten|müssen) Sie\b/],
  ])("say %s, and no other word for it", (_word, other) => {
    expect(namesWith(other)).toEqual([]);
  });
});
