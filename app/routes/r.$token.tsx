import { data, type HeadersFunction, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { RequestPage } from "#app/features/upload/request/request-page.tsx";
import { loadTexts } from "#app/lib/i18n/messages.server.ts";
import { titleMeta } from "#app/lib/page-title.ts";
import type { Translate } from "#messages/translate.ts";
import type { RequestView } from "#worker/page-types.ts";

// The address allows sending, so keep it from search engines, caches and other sites (decision 010).
const PRIVATE = { "x-robots-tag": "noindex", "cache-control": "private, no-store", "referrer-policy": "no-referrer" };

export const loader = async ({ params, request, context }: LoaderFunctionArgs) => {
  const token = params.token ?? "";
  const view = await context.findRequest(token);
  const wait = view.kind === "refused" ? view.retryAfterSeconds : undefined;
  const headers = { ...PRIVATE, ...(wait === undefined ? {} : { "retry-after": String(wait) }) };
  const texts = loadTexts(request, (t) => titleOf(view, t), "requestPage", "uploads", "transferUpload", "expirations");
  return data({ token, view, ...texts }, { status: view.status, headers });
};

function titleOf(view: RequestView, t: Translate<"requestPage">): string {
  if (view.kind === "request") return t("documentTitle", { title: view.request.title });
  if (view.status === 429) return t("tryLater");
  return t(view.status === 410 ? "closed" : "notFound");
}

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta = titleMeta({ robots: "noindex", referrer: "no-referrer" });

/** The page on which people send files through an upload request. */
export default function SendToRequest() {
  const { token, view } = useLoaderData<typeof loader>();
  return (
    <div className="mx-auto max-w-2xl px-4 py-8 sm:px-6 lg:py-16">
      <RequestPage token={token} view={view} />
    </div>
  );
}
