import { redirect, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { RequestList } from "#app/features/requests/request-list.tsx";
import { loadTexts } from "#app/lib/i18n/messages.server.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { titleMeta } from "#app/lib/page-title.ts";
import { failedBelowTabs, PageTabs } from "#app/shell/page-tabs.tsx";

export const meta = titleMeta();

export const loader = async ({ request, context }: LoaderFunctionArgs) => {
  const user = await context.currentUser();
  if (!user) throw redirect("/login?returnTo=/dashboard/requests");
  const texts = loadTexts(request, (t) => t("title"), "requests", "expirations", "sharing");
  return { requests: await context.listRequests(user), ...texts };
};

export const ErrorBoundary = failedBelowTabs("dashboard");

export default function Requests() {
  const t = useMessages("requests");
  const { requests } = useLoaderData<typeof loader>();
  return (
    <div className="mx-auto max-w-6xl px-4 py-8 sm:px-6 lg:py-14">
      <PageTabs of="dashboard" />
      <h1 className="font-display text-4xl font-semibold">{t("heading")}</h1>
      <p className="mt-2 mb-6 text-muted">{t("lead")}</p>
      <RequestList initial={requests} />
    </div>
  );
}
