import { redirect, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData, type ShouldRevalidateFunctionArgs } from "@remix-run/react";
import { ReceivedList } from "#app/features/requests/received-list.tsx";
import { loadTexts } from "#app/lib/i18n/messages.server.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { titleMeta } from "#app/lib/page-title.ts";
import { failedBelowTabs, PageTabs } from "#app/shell/page-tabs.tsx";

export const meta = titleMeta();

export const loader = async ({ request, context }: LoaderFunctionArgs) => {
  const user = await context.currentUser();
  if (!user) throw redirect("/login?returnTo=/dashboard/received");
  const fileRequestId = new URL(request.url).searchParams.get("request");
  const [page, requests] = await Promise.all([context.listReceived(user, fileRequestId), context.listRequests(user)]);
  const texts = loadTexts(request, (t) => t("title"), "received", "guards", "sharing");
  return { initial: { fileRequestId, page, requests }, ...texts };
};

/** A change of the URL's query does not run the loader, because the page's own requests load the new data. */
export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  const isOtherView = currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search;
  return !isOtherView && defaultShouldRevalidate;
}

export const ErrorBoundary = failedBelowTabs("dashboard");

export default function Received() {
  const t = useMessages("received");
  const { initial } = useLoaderData<typeof loader>();
  return (
    <div className="mx-auto max-w-6xl px-4 py-8 sm:px-6 lg:py-14">
      <PageTabs of="dashboard" />
      <h1 className="font-display text-4xl font-semibold">{t("heading")}</h1>
      <p className="mt-2 mb-6 text-muted">{t("lead")}</p>
      <ReceivedList initial={initial} />
    </div>
  );
}
