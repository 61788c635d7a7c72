import { redirect, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { AccountEvents } from "#app/features/account/account-events.tsx";
import { ChangePassword } from "#app/features/account/change-password.tsx";
import { ConfirmHost } from "#app/features/account/confirm-host.tsx";
import { Devices } from "#app/features/account/devices.tsx";
import { Passkeys } from "#app/features/account/passkeys/passkeys.tsx";
import { Providers } from "#app/features/account/providers.tsx";
import { SecondFactor } from "#app/features/account/second-factor.tsx";
import { SignOutEverywhere } from "#app/features/account/sign-out-everywhere.tsx";
import { loadTexts } from "#app/lib/i18n/messages.server.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { titleMeta } from "#app/lib/page-title.ts";
import { useCurrentUser } from "#app/lib/session.ts";
import { failedBelowTabs, PageTabs } from "#app/shell/page-tabs.tsx";
import { Page } from "#app/ui/page.tsx";

export const meta = titleMeta();

export const loader = async ({ request, context }: LoaderFunctionArgs) => {
  const user = await context.currentUser();
  if (!user) throw redirect("/login?returnTo=/account/security");
  return { user, ...loadTexts(request, (t) => t("title"), "security", "account", "accountFields") };
};

export const ErrorBoundary = failedBelowTabs("account");

export default function Security() {
  const t = useMessages("security");
  const { user } = useLoaderData<typeof loader>();
  const current = useCurrentUser() ?? user;
  return (
    <Page title={t("title")} lead={current.email}>
      <PageTabs of="account" />
      <ChangePassword />
      <SecondFactor />
      <Passkeys />
      <Providers />
      <Devices />
      <SignOutEverywhere />
      <AccountEvents />
      <ConfirmHost />
    </Page>
  );
}
