import { readPageUrl } from "../opener/options.ts";
import { usage } from "./options.ts";

export interface LinkUrl {
  origin: string;
  downloadId: string;
}

/** @param text as `readPageUrl` takes it @returns null for text that is not a download link */
export function readLinkUrl(text: string): LinkUrl | null {
  const address = readPageUrl(text, "download");
  return address && { origin: address.origin, downloadId: address.id };
}

/** @throws Failure `usage` for text that is not a download link */
export function requireLinkUrl(text: string): LinkUrl {
  const found = readLinkUrl(text);
  if (found === null) throw usage("This is not a download link: https://…/download/… was expected.");
  return found;
}

/** @param text as `readPageUrl` takes it @throws Failure `usage` for text that is not the link of a request */
export function requireRequestUrl(text: string): { origin: string; token: string } {
  const address = readPageUrl(text, "r");
  if (address === null) throw usage("This is not a link for sending files: https://…/r/… was expected.");
  return { origin: address.origin, token: address.id };
}
