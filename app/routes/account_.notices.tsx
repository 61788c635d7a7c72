import { redirect, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { Notices } from "#app/features/account/notices.tsx";
import { loadTexts } from "#app/lib/i18n/messages.server.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { titleMeta } from "#app/lib/page-title.ts";
import { failedBelowTabs, PageTabs } from "#app/shell/page-tabs.tsx";
import { Page } from "#app/ui/page.tsx";

export const meta = titleMeta();

export const loader = async ({ request, context }: LoaderFunctionArgs) => {
  const user = await context.currentUser();
  if (!user) throw redirect("/login?returnTo=/account/notices");
  const texts = loadTexts(request, (t) => t("title"), "notices");
  return { settings: await context.noticeSettings(user), ...texts };
};

export const ErrorBoundary = failedBelowTabs("account");

export default function NoticesPage() {
  const t = useMessages("notices");
  const { settings } = useLoaderData<typeof loader>();
  return (
    <Page title={t("title")} lead={t("lead")}>
      <PageTabs of="account" />
      <Notices loaded={settings} />
    </Page>
  );
}
