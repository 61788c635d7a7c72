import { redirect, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData, type ShouldRevalidateFunctionArgs } from "@remix-run/react";
import { FileList, readQuery } from "#app/components/files/file-list.tsx";
import { UnfinishedUploads } from "#app/components/files/unfinished-uploads.tsx";
import { buttonClass } from "#app/components/ui/button.tsx";
import { PRODUCT_NAME } from "#domain/brand.ts";

export const meta: MetaFunction = () => [{ title: `Dashboard · ${PRODUCT_NAME}` }];

export const loader = async ({ context, request }: LoaderFunctionArgs) => {
  const user = await context.currentUser();
  if (!user) throw redirect("/");
  const query = readQuery(new URL(request.url).searchParams);
  const [page, unfinished] = await Promise.all([context.listFiles(user, query), context.listUnfinished(user)]);
  return { files: { query, page }, unfinished, origin: context.origin };
};

/** Once the page is there, its queries ask for what the address says. */
export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  const isOtherView = currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search;
  return !isOtherView && defaultShouldRevalidate;
}

export default function Dashboard() {
  const { files, unfinished, origin } = useLoaderData<typeof loader>();
  return (
    <div className="mx-auto max-w-4xl px-4 py-8 sm:px-6 lg:py-14">
      <UnfinishedUploads initial={unfinished} />
      <div className="mb-6 flex flex-wrap items-center justify-between gap-4">
        <h1 className="font-display text-4xl font-semibold">Your Files</h1>
        <Link to="/" className={buttonClass()}>
          Upload a file
        </Link>
      </div>
      <FileList initial={files} origin={origin} />
    </div>
  );
}
