import { redirect, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, type ClientLoaderFunctionArgs } from "@remix-run/react";
import chartStyles from "#app/features/admin/charts.css?url";
import { readTab, type FailedTab } from "#app/features/admin/read-tab.server.ts";
import { tabIn } from "#app/features/admin/tabs.ts";
import { Dashboard } from "#app/features/admin/dashboard.tsx";
import { loadMessages, requestTranslator } from "#app/lib/i18n/messages.server.ts";
import { receivedMessages } from "#app/lib/i18n/messages.ts";
import { PRODUCT_NAME } from "#domain/brand.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data?.title ?? PRODUCT_NAME },
  { name: "robots", content: "noindex" },
];

export const links = () => [{ rel: "stylesheet", href: chartStyles }];

/** What it says. */
const GROUPS = ["admin", "adminRecords", "recordFields", "reportReasons", "fileOrders"] as const;

export const loader = async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await context.admin.viewer();
  if (!viewer) throw redirect("/admin");
  const view = await readTab(context, new URL(request.url).searchParams);
  if (view.kind === "failed" && view.status === 403) throw redirect("/admin");
  const title = `${requestTranslator(request, "admin")("title")} · ${PRODUCT_NAME}`;
  return { title, username: viewer.username, origin: context.origin, view, messages: loadMessages(request, ...GROUPS) };
};

/** In the browser, what could not be loaded is said in its place. A user's files are asked for twice (specification 2 section 7). */
export const clientLoader = async ({ request, serverLoader }: ClientLoaderFunctionArgs) => {
  const tab = tabIn(new URL(request.url).searchParams);
  const read = async () => {
    try {
      return await serverLoader<typeof loader>();
    } catch (error) {
      // A redirect to the login, or a page that was left before it was there.
      if (error instanceof Response || request.signal.aborted) throw error;
      // Nothing was shown here before, so there are no words for it either.
      const messages = receivedMessages(...GROUPS);
      if (!messages) throw error;
      console.warn("loading failed", error);
      const view: FailedTab = { kind: "failed", tab, status: 500, message: "" };
      return { title: document.title, username: "", origin: location.origin, view, messages };
    }
  };
  const first = await read();
  const isWorthARetry = tab === "files" && first.view.kind === "failed" && first.view.status >= 500;
  return isWorthARetry ? read() : first;
};

export default function AdminDashboard() {
  return <Dashboard {...useLoaderData<typeof loader>()} />;
}
