import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Link } from "@remix-run/react";
import { Page } from "#app/ui/page.tsx";
import { buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { loadMessages } from "#app/lib/i18n/messages.server.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";

/**
 * Receives a file that another app shares while the service worker is missing. Discards the file, because the person
 * has not confirmed an upload. Reads the whole body, because browsers show no earlier response.
 */
export const action = async ({ request }: ActionFunctionArgs) => {
  await request.body?.pipeTo(new WritableStream());
  return null;
};

export const loader = ({ request }: LoaderFunctionArgs) => ({ messages: loadMessages(request, "uploadPages") });

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
