import { useSearchParams } from "@remix-run/react";
import { useContext } from "react";
import { SealedPageContext } from "./sealed/sealed-context.ts";

/**
 * The token of the recipient to whom this link was mailed: it says who downloads, never whether they may. Null on the
 * bare link, and on an encrypted one, which is not mailed.
 */
export function useRecipient(): string | null {
  const [params] = useSearchParams();
  const isSealed = useContext(SealedPageContext) !== null;
  return isSealed ? null : params.get("for");
}

/** @param href of bytes, or of a form that leads to them @returns with the recipient's token */
export function forRecipient(href: string, token: string | null): string {
  if (token === null) return href;
  return `${href}${href.includes("?") ? "&" : "?"}${new URLSearchParams({ for: token }).toString()}`;
}
