import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { Link } from "@remix-run/react";
import { Page } from "#app/components/page.tsx";
import { buttonClass } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";

/**
 * Where another app's file arrives when no service worker took it on the device. It is let go: whoever shares a file has
 * not seen yet what would happen to it. A browser shows no answer that comes before its last byte has been taken.
 */
export const action = async ({ request }: ActionFunctionArgs) => {
  await request.body?.pipeTo(new WritableStream());
  return null;
};

export default function Share() {
  return (
    <Page title="Your file is still with you">
      <Card>
        <p>
          This browser could not hand the file over, and nothing was uploaded. Open the home page, choose the file
          there, and it goes on its way. Sharing works once the home page has been open in this browser for a moment.
        </p>
        <Link to="/" className={`${buttonClass()} mt-5`}>
          Choose the file
        </Link>
      </Card>
    </Page>
  );
}
