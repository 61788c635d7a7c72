import { readFragment } from "#domain/seal/fragment.ts";
import type { Bytes } from "#domain/seal/keys.ts";
import { EXIT, Problem } from "./problem.ts";

export interface Link {
  origin: string;
  downloadId: string;
  linkSecret: Bytes;
}

/** @throws Problem `usage` for another address, `key` for a link whose key is missing, cut or of a newer page */
export function readLink(text: string): Link {
  // Mail programs write the `#` of a link as `%23`.
  const address = text.trim().replace(/%23/i, "#");
  const url = URL.canParse(address) ? new URL(address) : null;
  const [, downloadId] = /^\/download\/([\w-]{22})/.exec(url?.pathname ?? "") ?? [];
  if (url === null || downloadId === undefined || !/^https?:$/.test(url.protocol))
    throw new Problem(EXIT.usage, "This is not a download link: https://…/download/…#… was expected.");
  const fragment = readFragment(url.hash.slice(1));
  if (!("problem" in fragment)) return { origin: url.origin, downloadId, linkSecret: fragment.linkSecret };
  if (fragment.problem === "newer")
    throw new Problem(EXIT.key, "A newer page made this link. Get the current mayfly-open.mjs from the site.");
  const missing = fragment.problem === "missing" ? ` ${countMissing(fragment.characters)}` : "";
  throw new Problem(EXIT.key, `The end of the link, behind #, is missing. Use the whole link, in quotes.${missing}`);
}

function countMissing(characters: number): string {
  return characters === 1 ? "1 character is missing." : `${characters} characters are missing.`;
}
