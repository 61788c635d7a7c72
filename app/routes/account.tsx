import { redirect, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { ChangeEmail } from "#app/features/account/change-email.tsx";
import { ConfirmHost } from "#app/features/account/confirm-host.tsx";
import { DeleteAccount } from "#app/features/account/delete-account.tsx";
import { ApiKeys } from "#app/features/account/keys/api-keys.tsx";
import { LinkPreviews } from "#app/features/account/link-previews.tsx";
import { Webhooks } from "#app/features/account/webhooks/webhooks.tsx";
import { loadTexts } from "#app/lib/i18n/messages.server.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { titleMeta } from "#app/lib/page-title.ts";
import { useCurrentUser } from "#app/lib/session.ts";
import { failedBelowTabs, PageTabs } from "#app/shell/page-tabs.tsx";
import { buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { Page } from "#app/ui/page.tsx";

export const meta = titleMeta();

export const loader = async ({ request, context }: LoaderFunctionArgs) => {
  const user = await context.currentUser();
  if (!user) throw redirect("/login?returnTo=/account");
  const texts = loadTexts(request, (t) => t("title"), "account", "accountFields", "apiKeys", "security", "webhooks");
  return { user, ...texts };
};

export const ErrorBoundary = failedBelowTabs("account");

export default function Account() {
  const t = useMessages("account");
  const { user } = useLoaderData<typeof loader>();
  const current = useCurrentUser() ?? user;
  return (
    <Page title={t("heading")} lead={current.email}>
      <PageTabs of="account" />
      <ChangeEmail />
      <ApiKeys />
      <Webhooks />
      <LinkPreviews />
      <Billing />
      <DeleteAccount />
      <ConfirmHost />
    </Page>
  );
}

function Billing() {
  const t = useMessages("account");
  return (
    <Card>
      <h2 className="text-lg font-medium">{t("billing")}</h2>
      <p className="mt-1 mb-4 text-muted">{t("billingHelp")}</p>
      <Link to="/account/billing-history" className={buttonClass("quiet")}>
        {t("billingHistory")}
      </Link>
    </Card>
  );
}
