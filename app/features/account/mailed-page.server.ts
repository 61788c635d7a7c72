import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { loadMessages, requestTranslator } from "#app/lib/i18n/messages.server.ts";
import { PRODUCT_NAME } from "#domain/brand.ts";

/** @param title the message that names the page @returns the loader of a page that a mailed link leads to */
export function loadMailedPage(title: "keepFactorTitle" | "linkTitle" | "notMeTitle" | "undoTitle") {
  return ({ request }: LoaderFunctionArgs) => ({
    title: `${requestTranslator(request, "security")(title)} · ${PRODUCT_NAME}`,
    messages: loadMessages(request, "security"),
  });
}
