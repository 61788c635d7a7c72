import { redirect, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { ConfirmHost } from "#app/features/account/confirm-host.tsx";
import { SignInDevice } from "#app/features/account/sign-in-device.tsx";
import { loadTexts } from "#app/lib/i18n/messages.server.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { titleMeta } from "#app/lib/page-title.ts";
import { Page } from "#app/ui/page.tsx";

export const meta = titleMeta({ robots: "noindex" });

export const loader = async ({ request, context }: LoaderFunctionArgs) => {
  if (!(await context.currentUser())) throw redirect("/login?returnTo=/device");
  return { ...loadTexts(request, (t) => t("title"), "device", "apiKeys", "security") };
};

/**
 * Signs the command line in. The page's address never contains the code: otherwise an attacker could send a link with
 * the code of their own program, and the victim would only have to agree (RFC 8628, section 5.4).
 */
export default function Device() {
  const t = useMessages("device");
  return (
    <Page title={t("title")} lead={t("lead")}>
      <SignInDevice />
      <ConfirmHost />
    </Page>
  );
}
