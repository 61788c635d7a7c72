import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { Arriving } from "#app/components/download/arriving.tsx";
import { Ended } from "#app/components/download/ended.tsx";
import { Ready } from "#app/components/download/ready.tsx";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { AppError } from "#domain/errors.ts";
import type { DownloadInfo } from "#domain/wire.ts";

type View = { kind: "file"; info: DownloadInfo } | { kind: "expired" | "not-found"; message: string };

// The address is the secret: no search engine keeps it, no other site is told it (decisions, The link is the secret).
const PRIVATE = { "referrer-policy": "no-referrer", "x-robots-tag": "noindex", "cache-control": "private, no-store" };

export const loader = async ({ params, context }: LoaderFunctionArgs) => {
  const downloadId = params.downloadId ?? "";
  try {
    const view: View = { kind: "file", info: await context.getDownloadInfo(downloadId) };
    return data({ downloadId, view }, { headers: PRIVATE });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const view: View = { kind: error.status === 410 ? "expired" : "not-found", message: error.message };
    return data({ downloadId, view }, { status: error.status, headers: PRIVATE });
  }
};

export const headers = () => PRIVATE;

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${titleOf(data?.view)} · ${PRODUCT_NAME}` },
  { name: "robots", content: "noindex" },
  { name: "referrer", content: "no-referrer" },
];

function titleOf(view: View | undefined): string {
  if (view?.kind === "file") return view.info.filename;
  return view?.kind === "expired" ? "File Has Expired" : "File Not Found";
}

export default function Download() {
  const { downloadId, view } = useLoaderData<typeof loader>();
  return (
    <div className="mx-auto max-w-xl px-4 py-10 sm:px-6 lg:py-20">
      {view.kind !== "file" && <Ended expired={view.kind === "expired"} message={view.message} />}
      {view.kind === "file" && view.info.status === "uploading" && (
        <Arriving downloadId={downloadId} info={view.info} />
      )}
      {view.kind === "file" && view.info.status === "ready" && <Ready info={view.info} />}
    </div>
  );
}
