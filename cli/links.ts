import { usage } from "./options.ts";

export interface LinkAddress {
  origin: string;
  downloadId: string;
}

/** @returns null for what is no link @param text as mail programs and people write it, with what they wrote behind it */
export function readLinkAddress(text: string): LinkAddress | null {
  const address = text.trim().replace(/%23/i, "#");
  const url = URL.canParse(address) ? new URL(address) : null;
  const [, downloadId] = /^\/download\/([\w-]{22})/.exec(url?.pathname ?? "") ?? [];
  if (url === null || downloadId === undefined || !/^https?:$/.test(url.protocol)) return null;
  return { origin: url.origin, downloadId };
}

/** @throws Failure `usage` */
export function requireLinkAddress(text: string): LinkAddress {
  const found = readLinkAddress(text);
  if (found === null) throw usage("This is not a download link: https://…/download/… was expected.");
  return found;
}

interface RequestAddress {
  origin: string;
  token: string;
}

/** @param text as mail programs and people write it, with what they wrote behind it @throws Failure `usage` for what is no link of a request */
export function requireRequestAddress(text: string): RequestAddress {
  const address = text.trim();
  const url = URL.canParse(address) ? new URL(address) : null;
  const [, token] = /^\/r\/([\w-]{22})/.exec(url?.pathname ?? "") ?? [];
  if (url === null || token === undefined || !/^https?:$/.test(url.protocol)) {
    throw usage("This is not a link for sending files: https://…/r/… was expected.");
  }
  return { origin: url.origin, token };
}
