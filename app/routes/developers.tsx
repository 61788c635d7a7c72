import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { FirstMinutes } from "#app/features/developers/first-minutes.tsx";
import { WidePage } from "#app/features/developers/page-parts.tsx";
import { requestSize } from "#domain/parts.ts";
import { WEBHOOK_EVENTS } from "#domain/webhooks/events.ts";

export const loader = ({ context }: LoaderFunctionArgs) => ({
  origin: context.origin,
  requestLimit: requestSize(context.maxRequestBytes),
  // Passed by the loader, because importing the names would load the schemas of webhooks in the browser.
  events: WEBHOOK_EVENTS,
});

/** In English only, because only programmers read the page. */
export default function Developers() {
  const { origin, requestLimit, events } = useLoaderData<typeof loader>();
  return (
    <WidePage
      title="For developers"
      lead="Send files from a script, a server or a program of your own. In five minutes you have a link."
    >
      <FirstMinutes origin={origin} requestLimit={requestLimit} events={events} />
    </WidePage>
  );
}
