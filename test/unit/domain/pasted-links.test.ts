import { describe, expect, it } from "vitest";
import { linkWithoutEnding } from "#domain/site-pages.ts";
import { readLinkUrl, requireRequestUrl } from "../../../cli/links.ts";
import { readLink } from "../../../opener/transfer.ts";

const ID = "AbCdEfGhIjKlMnOpQrS_-v";
const LINKS = [
  `/download/${ID}`,
  `/r/${ID}`,
  `/delete/1b4e28ba-2fa1-41d2-883f-0016d3cca427/${"a-".repeat(21)}b`,
  `/unsubscribe/downloaded.1b4e28ba-2fa1-41d2-883f-0016d3cca427.${"a-".repeat(21)}b`,
];

/** The end of a sentence, quotes of several languages, what nobody sees, and markup. */
const ENDINGS = [
  [".", ",", ";", ":", "!", "…", "...", ")", "]", "}", ">", ").", "*", "_", "**", "`", "|", "/", "/.", "//"],
  ['"', "'", "”", "’", "“", "»", "«", "›", "』", "」", "。", "、", "，", "）", "！", "।", "؟"],
  [" ", "%20", "%09", "%0A", "\u00a0", "%C2%A0", "\u200b", "%E2%80%8B", "\u200d", "\u2060", "\ufeff", "\u3000"],
  ["&gt;", "</a>", "をご覧ください", " thanks", "'s", "%", "%ff", "%00"],
].flat();

describe("what is pasted behind a link", () => {
  it.each(LINKS)("is not part of it: %s [DL-14]", (link) => {
    for (const ending of ENDINGS) {
      const { pathname } = new URL(`https://example.com${link}${ending}`);
      if (pathname !== link) expect([ending, linkWithoutEnding(pathname)]).toEqual([ending, link]);
    }
  });

  it("a link with nothing behind it stays", () => {
    for (const link of LINKS) {
      expect(linkWithoutEnding(link)).toBeNull();
      expect(linkWithoutEnding(`${link}.data`)).toBeNull();
    }
    expect(linkWithoutEnding(`/download/${ID}%231${"A".repeat(43)}`)).toBeNull();
  });

  it.each([
    "/",
    "/download",
    "/download/",
    "/download/short.",
    "/r/short)",
    "/register.",
    `/a/download/${ID}.`,
    `/${ID}.`,
  ])("%s is no link", (path) => {
    expect(linkWithoutEnding(path)).toBeNull();
  });
});

describe("the programs for the terminal", () => {
  it("read a link with what is behind it", () => {
    for (const ending of ["", ...ENDINGS]) {
      const link = `https://example.com/download/${ID}${ending}`;
      expect(readLinkUrl(link)).toEqual({ origin: "https://example.com", downloadId: ID });
      expect(requireRequestUrl(`https://example.com/r/${ID}${ending}`)).toEqual({
        origin: "https://example.com",
        token: ID,
      });
    }
  });

  it("read an encrypted link with what is behind its key", () => {
    for (const ending of ENDINGS.filter((each) => each !== "_")) {
      const link = readLink(`https://example.com/download/${ID}#1${"A".repeat(43)}${ending}`);
      expect(link).toEqual({ origin: "https://example.com", downloadId: ID, linkSecret: new Uint8Array(32) });
    }
  });

  it.each(["https://example.com/", "https://example.com/download/short", "ftp://example.com/download/x", "x"])(
    "do not take %s for one",
    (text) => {
      expect(readLinkUrl(text)).toBeNull();
      expect(() => readLink(text)).toThrow("This is not a download link");
    },
  );
});
