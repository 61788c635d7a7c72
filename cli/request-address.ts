import { usage } from "./options.ts";

export interface RequestAddress {
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
