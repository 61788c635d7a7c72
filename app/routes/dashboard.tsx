import { redirect, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api, queryKeys } from "#app/api.ts";
import { isPaymentReturn } from "#app/billing/payment-return.ts";
import { useRefreshOnLoad } from "#app/billing/refresh.ts";
import { usePaymentReturn } from "#app/billing/use-payment-return.ts";
import { SubscriptionCard } from "#app/components/billing/subscription-card.tsx";
import { FileRow } from "#app/components/file-row.tsx";
import { UnfinishedUploads } from "#app/components/unfinished-uploads.tsx";
import { buttonClass } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { toast } from "#app/components/ui/toast.tsx";
import { messageOf } from "#app/forms.ts";
import { PRODUCT_NAME } from "#domain/brand.ts";
import type { ListedFile } from "#domain/wire.ts";

export const meta: MetaFunction = () => [{ title: `Dashboard · ${PRODUCT_NAME}` }];

export const loader = async ({ request, context }: LoaderFunctionArgs) => {
  const user = await context.currentUser();
  if (!user) throw redirect(wayIn(new URL(request.url)));
  const [files, unfinished, plan] = await Promise.all([
    context.listFiles(user),
    context.listUnfinished(user),
    // The files are shown all the same; the card says what is wrong.
    context.currentPlan(user).catch((error: unknown) => {
      console.error({ event: "dashboard.plan_failed", error: String(error) });
      return null;
    }),
  ]);
  return { files, unfinished, plan, origin: context.origin };
};

/** Visitors go home; whoever comes back from paying, and was signed out meanwhile, signs in first. */
function wayIn({ pathname, search, searchParams }: URL): string {
  return isPaymentReturn(searchParams) ? `/login?${new URLSearchParams({ returnTo: pathname + search })}` : "/";
}

export default function Dashboard() {
  const { files: initialData, unfinished, plan, origin } = useLoaderData<typeof loader>();
  const { hasReturned, awaitingPlan } = usePaymentReturn();
  useRefreshOnLoad(!hasReturned);
  const queries = useQueryClient();
  const { data: files } = useQuery({ queryKey: queryKeys.files, queryFn: api.files, initialData, retry: 3 });

  const remove = async (file: ListedFile) => {
    try {
      await api.deleteFile(file.id);
      queries.setQueryData<ListedFile[]>(queryKeys.files, (now) => now?.filter(({ id }) => id !== file.id));
      toast({ title: "File deleted", description: `${file.filename} and its link are gone.` });
    } catch (error) {
      toast({ title: "Delete failed", description: messageOf(error, "The file could not be deleted."), tone: "bad" });
    }
  };

  return (
    <div className="mx-auto grid max-w-6xl items-start gap-8 px-4 py-8 sm:px-6 lg:grid-cols-[1fr_21rem] lg:py-14">
      <div className="min-w-0">
        <UnfinishedUploads initial={unfinished} />
        <div className="mb-6 flex flex-wrap items-center justify-between gap-4">
          <h1 className="font-display text-4xl font-semibold">Your Files</h1>
          <Link to="/" className={buttonClass()}>
            Upload a file
          </Link>
        </div>
        <Card className="p-2! sm:p-3!">
          {files.length === 0 ? (
            <p className="px-4 py-14 text-center text-muted">Nothing here yet. Files you upload appear in this list.</p>
          ) : (
            <ul className="divide-y divide-line">
              {files.map((file) => (
                <FileRow
                  key={file.id}
                  file={file}
                  shareUrl={`${origin}/download/${file.downloadId}`}
                  onDelete={remove}
                />
              ))}
            </ul>
          )}
        </Card>
      </div>
      <aside aria-label="Subscription" className="lg:sticky lg:top-6">
        <SubscriptionCard loaded={plan} awaitingPlan={awaitingPlan} />
      </aside>
    </div>
  );
}
