import { redirect, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { AccountTabs } from "#app/features/account/account-tabs.tsx";
import { Notices } from "#app/features/account/notices/notices.tsx";
import { loadMessages, requestTranslator } from "#app/lib/i18n/messages.server.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Page } from "#app/ui/page.tsx";
import { PRODUCT_NAME } from "#domain/brand.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) => [{ title: data?.title ?? PRODUCT_NAME }];

export const loader = async ({ request, context }: LoaderFunctionArgs) => {
  const user = await context.currentUser();
  if (!user) throw redirect("/login?returnTo=/account/notices");
  const title = `${requestTranslator(request, "notices")("title")} · ${PRODUCT_NAME}`;
  const messages = loadMessages(request, "notices", "security");
  return { settings: await context.noticeSettings(user), title, messages };
};

export default function NoticesPage() {
  const t = useMessages("notices");
  const { settings } = useLoaderData<typeof loader>();
  return (
    <Page title={t("title")} lead={t("lead")}>
      <AccountTabs />
      <Notices loaded={settings} />
    </Page>
  );
}
