import { shareFileRequest } from "#domain/wire.ts";

export interface SplitAddresses {
  /** Each once, in lower case. */
  emails: string[];
  /** What is no address, as it was written. */
  wrong: string[];
}

/** `Ann Lee <ann@example.com>`, as mail programs copy it. The name may have commas only within quotes. */
const NAMED = /(?:"[^"\n]*"|[^,;<>\n"])*<([^<>\n]*)>/g;

/** @param text addresses as people type and paste them: with commas, semicolons, spaces or lines between */
export function splitAddresses(text: string): SplitAddresses {
  const words = text
    .replaceAll(NAMED, ",$1,")
    .split(/[\s,;]+/)
    .map((word) => word.replace(/^mailto:/i, ""))
    .filter((word) => word !== "");
  const addressOf = (word: string) => shareFileRequest.shape.email.safeParse(word).data?.toLowerCase();
  return {
    emails: [...new Set(words.flatMap((word) => addressOf(word) ?? []))],
    wrong: [...new Set(words.filter((word) => addressOf(word) === undefined))],
  };
}
