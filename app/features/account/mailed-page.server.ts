import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { loadTexts } from "#app/lib/i18n/messages.server.ts";

/**
 * @param title the name of the message with the page's title @returns the loader of a page that a mailed link leads to
 */
export function loadMailedPage(title: "keepFactorTitle" | "linkTitle" | "notMeTitle" | "undoTitle") {
  return ({ request }: LoaderFunctionArgs) => loadTexts(request, (t) => t(title), "security");
}
