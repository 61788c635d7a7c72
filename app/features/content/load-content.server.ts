import { data, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { loadMessages } from "#app/lib/i18n/messages.server.ts";

/** Loads the text of the content page that is asked for. One that is missing answers 404, one that cannot be read 503. */
export async function loadContent({ context, request }: LoaderFunctionArgs) {
  const { content, failed } = await context.readPage(new URL(request.url).pathname);
  const status = content ? 200 : failed ? 503 : 404;
  const messages = loadMessages(request, "content");
  return data({ content, contactEmail: context.contactEmail, messages }, { status });
}
