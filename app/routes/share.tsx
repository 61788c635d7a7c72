import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Link } from "@remix-run/react";
import { Page } from "#app/ui/page.tsx";
import { buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { messagesFor } from "#app/lib/i18n/messages.server.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";

/**
 * Where another app's file arrives when no service worker took it on the device. It is let go: whoever shares a file has
 * not seen yet what would happen to it. A browser shows no answer that comes before its last byte has been taken.
 */
export const action = async ({ request }: ActionFunctionArgs) => {
  await request.body?.pipeTo(new WritableStream());
  return null;
};

export const loader = ({ request }: LoaderFunctionArgs) => ({ messages: messagesFor(request, "uploadPages") });

export default function Share() {
  const t = useMessages("uploadPages");
  return (
    <Page title={t("shareTitle")}>
      <Card>
        <p>{t("shareText")}</p>
        <Link to="/" className={`${buttonClass()} mt-5`}>
          {t("shareChoose")}
        </Link>
      </Card>
    </Page>
  );
}
