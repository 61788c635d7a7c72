import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Link } from "@remix-run/react";
import { Page } from "#app/components/page.tsx";
import { buttonClass } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { messagesFor } from "#app/messages/messages.server.ts";
import { useMessages } from "#app/messages/messages.ts";

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
  const say = useMessages("uploadPages");
  return (
    <Page title={say("shareTitle")}>
      <Card>
        <p>{say("shareText")}</p>
        <Link to="/" className={`${buttonClass()} mt-5`}>
          {say("shareChoose")}
        </Link>
      </Card>
    </Page>
  );
}
