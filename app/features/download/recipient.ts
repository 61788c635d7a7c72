import { useSearchParams } from "@remix-run/react";
import { useContext } from "react";
import { SealedPageContext } from "./sealed/sealed-context.ts";

/**
 * The token of the recipient to whom this link was mailed. It says who downloads, and gives no rights. Null on a link
 * without a token, and on a sealed link, which is never mailed.
 */
export function useRecipient(): string | null {
  const [params] = useSearchParams();
  const isSealed = useContext(SealedPageContext) !== null;
  return isSealed ? null : params.get("for");
}

/** @param href the URL of bytes, or of a form's action @returns the URL with the recipient's token */
export function forRecipient(href: string, token: string | null): string {
  if (token === null) return href;
  return `${href}${href.includes("?") ? "&" : "?"}${new URLSearchParams({ for: token }).toString()}`;
}
