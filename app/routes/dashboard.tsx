import { redirect, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Link, useLoaderData, type ShouldRevalidateFunctionArgs } from "@remix-run/react";
import { useRefreshOnLoad } from "#app/features/billing/current-plan.ts";
import { hasPaymentParams, usePaymentReturn } from "#app/features/billing/payment-return.ts";
import { SubscriptionCard } from "#app/features/billing/subscription-card.tsx";
import { FileList, parseFilesQuery } from "#app/features/files/file-list.tsx";
import { UnfinishedUploads } from "#app/features/upload/unfinished-uploads.tsx";
import { loadTexts } from "#app/lib/i18n/messages.server.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { titleMeta } from "#app/lib/page-title.ts";
import { failedBelowTabs, PageTabs } from "#app/shell/page-tabs.tsx";
import { buttonClass } from "#app/ui/button.tsx";
import { useKeptFocus } from "#app/ui/use-kept-focus.ts";

export const meta = titleMeta();

export const loader = async ({ request, context }: LoaderFunctionArgs) => {
  const url = new URL(request.url);
  const user = await context.currentUser();
  if (!user) throw redirect(visitorRedirect(url));
  const query = parseFilesQuery(url.searchParams);
  const [page, plan] = await Promise.all([
    context.listFiles(user, query),
    // Without a plan the page still shows the files, and the subscription card shows the error.
    context.currentPlan(user).catch((error: unknown) => {
      context.logError("dashboard.plan_failed", error);
      return null;
    }),
  ]);
  const texts = loadTexts(
    request,
    (t) => t("title"),
    "files",
    "feed",
    "guards",
    "sealing",
    "sharing",
    "transferUpload",
    "fileOrders",
    "expirations",
    "billing",
    "transfers",
  );
  return { files: { query, page }, plan, origin: context.origin, ...texts };
};

/**
 * Sends visitors who come back from a payment or from a mail about a link to the login, and other visitors to the home
 * page.
 */
function visitorRedirect({ pathname, search, searchParams }: URL): string {
  return hasPaymentParams(searchParams) || searchParams.has("guards")
    ? `/login?${new URLSearchParams({ returnTo: pathname + search })}`
    : "/";
}

/** A change of the URL's query does not run the loader, because the page's own requests load the new data. */
export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  const isOtherView = currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search;
  return !isOtherView && defaultShouldRevalidate;
}

export const ErrorBoundary = failedBelowTabs("dashboard");

export default function Dashboard() {
  const t = useMessages("files");
  const tBilling = useMessages("billing");
  const { files, plan, origin } = useLoaderData<typeof loader>();
  const { hasReturned, awaitingPlan } = usePaymentReturn();
  useRefreshOnLoad(!hasReturned);
  const keptFocus = useKeptFocus<HTMLDivElement>();
  return (
    <div
      ref={keptFocus}
      className="mx-auto grid max-w-6xl items-start gap-8 px-4 py-8 sm:px-6 lg:grid-cols-[1fr_21rem] lg:py-14"
    >
      <div className="min-w-0">
        <PageTabs of="dashboard" />
        <div className="mb-6 flex flex-wrap items-center justify-between gap-4">
          <h1 className="font-display text-4xl font-semibold">{t("heading")}</h1>
          <Link to="/" className={buttonClass()}>
            {t("uploadFile")}
          </Link>
        </div>
        <UnfinishedUploads />
        <FileList initial={files} origin={origin} />
      </div>
      <aside aria-label={tBilling("subscription")} className="lg:sticky lg:top-6">
        <SubscriptionCard loaded={plan} awaitingPlan={awaitingPlan} />
      </aside>
    </div>
  );
}
