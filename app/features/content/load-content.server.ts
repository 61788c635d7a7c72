import { data, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { loadMessages } from "#app/lib/i18n/messages.server.ts";

/** Answers 404 if the page has no text and 503 if the text cannot be read. */
export async function loadContent({ context, request }: LoaderFunctionArgs) {
  const { content, failed } = await context.readPage(new URL(request.url).pathname);
  const status = content ? 200 : failed ? 503 : 404;
  const messages = loadMessages(request, "content");
  return data({ content, contactEmail: context.contactEmail, messages }, { status });
}
