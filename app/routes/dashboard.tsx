import { redirect, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { Await, Link, useLoaderData, type ShouldRevalidateFunctionArgs } from "@remix-run/react";
import { Suspense } from "react";
import { isPaymentReturn } from "#app/billing/payment-return.ts";
import { useRefreshOnLoad } from "#app/billing/refresh.ts";
import { usePaymentReturn } from "#app/billing/use-payment-return.ts";
import { SubscriptionCard } from "#app/components/billing/subscription-card.tsx";
import { FileList, readQuery } from "#app/components/files/file-list.tsx";
import { UnfinishedUploads } from "#app/components/files/unfinished-uploads.tsx";
import { buttonClass } from "#app/components/ui/button.tsx";
import { messagesFor, sayFor } from "#app/messages/messages.server.ts";
import { useMessages } from "#app/messages/messages.ts";
import { PRODUCT_NAME } from "#domain/brand.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) => [{ title: data?.title ?? PRODUCT_NAME }];

export const loader = async ({ request, context }: LoaderFunctionArgs) => {
  const url = new URL(request.url);
  const user = await context.currentUser();
  if (!user) throw redirect(wayIn(url));
  const query = readQuery(url.searchParams);
  // Each unfinished upload says itself how far it is. The page does not wait for that: it comes after.
  const unfinished = context.listUnfinished(user);
  unfinished.catch(() => undefined);
  const [page, plan] = await Promise.all([
    context.listFiles(user, query),
    // The files are shown all the same; the card says what is wrong.
    context.currentPlan(user).catch((error: unknown) => {
      context.logFault("dashboard.plan_failed", error);
      return null;
    }),
  ]);
  const title = `${sayFor(request, "files")("title")} · ${PRODUCT_NAME}`;
  const messages = messagesFor(request, "files", "fileOrders", "expirations", "billing");
  return { files: { query, page }, unfinished, plan, origin: context.origin, title, messages };
};

/** Visitors go home; whoever comes back from paying, and was signed out meanwhile, signs in first. */
function wayIn({ pathname, search, searchParams }: URL): string {
  return isPaymentReturn(searchParams) ? `/login?${new URLSearchParams({ returnTo: pathname + search })}` : "/";
}

/** Once the page is there, its queries ask for what the address says. */
export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  const isOtherView = currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search;
  return !isOtherView && defaultShouldRevalidate;
}

export default function Dashboard() {
  const say = useMessages("files");
  const sayBilling = useMessages("billing");
  const { files, unfinished, plan, origin } = useLoaderData<typeof loader>();
  const { hasReturned, awaitingPlan } = usePaymentReturn();
  useRefreshOnLoad(!hasReturned);
  return (
    <div className="mx-auto grid max-w-6xl items-start gap-8 px-4 py-8 sm:px-6 lg:grid-cols-[1fr_21rem] lg:py-14">
      <div className="min-w-0">
        <Suspense>
          <Await resolve={unfinished} errorElement={<UnfinishedUploads initial={[]} />}>
            {(initial) => <UnfinishedUploads initial={initial} />}
          </Await>
        </Suspense>
        <div className="mb-6 flex flex-wrap items-center justify-between gap-4">
          <h1 className="font-display text-4xl font-semibold">{say("heading")}</h1>
          <Link to="/" className={buttonClass()}>
            {say("uploadFile")}
          </Link>
        </div>
        <FileList initial={files} origin={origin} />
      </div>
      <aside aria-label={sayBilling("subscription")} className="lg:sticky lg:top-6">
        <SubscriptionCard loaded={plan} awaitingPlan={awaitingPlan} />
      </aside>
    </div>
  );
}
