import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { Arriving } from "#app/components/download/arriving.tsx";
import { Ended } from "#app/components/download/ended.tsx";
import { Ready } from "#app/components/download/ready.tsx";
import { PRODUCT_NAME } from "#domain/brand.ts";
import type { DownloadView } from "#worker/pages.ts";

// The address is the secret: no search engine keeps it, no other site is told it (decisions, The link is the secret).
const PRIVATE = { "referrer-policy": "no-referrer", "x-robots-tag": "noindex", "cache-control": "private, no-store" };

export const loader = async ({ params, context }: LoaderFunctionArgs) => {
  const downloadId = params.downloadId ?? "";
  const view = await context.findDownload(downloadId);
  return data({ downloadId, view }, { status: view.status, headers: PRIVATE });
};

export const headers = () => PRIVATE;

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${titleOf(data?.view)} · ${PRODUCT_NAME}` },
  { name: "robots", content: "noindex" },
  { name: "referrer", content: "no-referrer" },
];

function titleOf(view: DownloadView | undefined): string {
  if (view?.kind === "file") return view.info.filename;
  return view?.status === 410 ? "File Has Expired" : "File Not Found";
}

export default function Download() {
  const { downloadId, view } = useLoaderData<typeof loader>();
  return (
    <div className="mx-auto max-w-xl px-4 py-10 sm:px-6 lg:py-20">
      {view.kind === "refused" && <Ended expired={view.status === 410} message={view.message} />}
      {view.kind === "file" && view.info.status === "uploading" && (
        <Arriving downloadId={downloadId} info={view.info} />
      )}
      {view.kind === "file" && view.info.status === "ready" && <Ready info={view.info} />}
    </div>
  );
}
