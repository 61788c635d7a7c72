import { readAddress } from "../opener/options.ts";
import { usage } from "./options.ts";

export interface LinkAddress {
  origin: string;
  downloadId: string;
}

/** @returns null for what is no link @param text as `readAddress` takes it */
export function readLinkAddress(text: string): LinkAddress | null {
  const address = readAddress(text, "download");
  return address && { origin: address.origin, downloadId: address.id };
}

/** @throws Failure `usage` */
export function requireLinkAddress(text: string): LinkAddress {
  const found = readLinkAddress(text);
  if (found === null) throw usage("This is not a download link: https://…/download/… was expected.");
  return found;
}

/** @param text as `readAddress` takes it @throws Failure `usage` for what is no link of a request */
export function requireRequestAddress(text: string): { origin: string; token: string } {
  const address = readAddress(text, "r");
  if (address === null) throw usage("This is not a link for sending files: https://…/r/… was expected.");
  return { origin: address.origin, token: address.id };
}
