import { redirect, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData, type ClientLoaderFunctionArgs } from "@remix-run/react";
import { activeTab } from "#app/features/admin/admin-tabs.ts";
import chartStyles from "#app/features/admin/charts.css?url";
import { Dashboard } from "#app/features/admin/dashboard.tsx";
import { loadTab, type FailedTab } from "#app/features/admin/load-tab.server.ts";
import { loadTexts } from "#app/lib/i18n/messages.server.ts";
import { receivedMessages } from "#app/lib/i18n/messages.ts";
import { titleMeta } from "#app/lib/page-title.ts";

export const meta = titleMeta({ robots: "noindex" });

export const links = () => [{ rel: "stylesheet", href: chartStyles }];

const MESSAGE_GROUPS = [
  "admin",
  "adminFactor",
  "userFactor",
  "adminRecords",
  "recordFields",
  "queue",
  "reportReasons",
  "fileOrders",
  "guards",
  "transfers",
] as const;

export const loader = async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await context.admin.viewer();
  if (!viewer) throw redirect("/admin");
  const view = await loadTab(context, new URL(request.url).searchParams);
  if (view.kind === "failed" && view.status === 403) throw redirect("/admin");
  return {
    username: viewer.username,
    origin: context.origin,
    view,
    ...loadTexts(request, (t) => t("title"), ...MESSAGE_GROUPS),
  };
};

/**
 * If a navigation to a tab fails, shows the failure in place of the tab. Retries loading a user's files once (decision
 * 024).
 */
export const clientLoader = async ({ request, serverLoader }: ClientLoaderFunctionArgs) => {
  const tab = activeTab(new URL(request.url).searchParams);
  const load = async () => {
    try {
      return await serverLoader<typeof loader>();
    } catch (error) {
      // A Response is a redirect to the login; an aborted request is a cancelled navigation.
      if (error instanceof Response || request.signal.aborted) throw error;
      // On the first load there are no messages to show the error with.
      const messages = receivedMessages(...MESSAGE_GROUPS);
      if (!messages) throw error;
      console.warn("loading failed", error);
      const view: FailedTab = { kind: "failed", tab, status: 500, message: "" };
      return { title: document.title, username: "", origin: location.origin, view, messages };
    }
  };
  const first = await load();
  const shouldRetry = tab === "files" && first.view.kind === "failed" && first.view.status >= 500;
  return shouldRetry ? load() : first;
};

export default function AdminDashboard() {
  return <Dashboard {...useLoaderData<typeof loader>()} />;
}
