import { data, type HeadersFunction, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { LinkEnded } from "#app/features/download/link-ended.tsx";
import { FileReady } from "#app/features/download/file-ready.tsx";
import { lazy, Suspense } from "react";
import { TooManyRequests } from "#app/features/download/too-many-requests.tsx";
import { loadMessages, requestTranslator } from "#app/lib/i18n/messages.server.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { formatBytes } from "#domain/units.ts";
import type { DownloadView } from "#worker/pages/page-types.ts";

// Most visitors open a finished file, whose page loads nothing more.
const UploadInProgress = lazy(() => importWhenOnline(() => import("#app/features/download/upload-in-progress.tsx")));
const TransferDownload = lazy(() =>
  importWhenOnline(() => import("#app/features/download/transfer/transfer-download.tsx")),
);

// The URL is the secret: keep it from search engines, caches and other sites (decision 010).
const PRIVATE = { "referrer-policy": "no-referrer", "x-robots-tag": "noindex", "cache-control": "private, no-store" };

export const loader = async ({ params, request, context }: LoaderFunctionArgs) => {
  const downloadId = params.downloadId ?? "";
  const view = await context.findDownload(downloadId);
  const wait = view.kind === "refused" ? view.retryAfterSeconds : undefined;
  const headers = { ...PRIVATE, ...(wait === undefined ? {} : { "retry-after": String(wait) }) };
  const texts = { title: titleOf(view, request), description: descriptionOf(view, request) };
  const isTransfer = view.kind === "file" && view.info.transfer !== undefined;
  const messages = loadMessages(request, "download", "reportReasons", ...(isTransfer ? (["transfers"] as const) : []));
  return data({ downloadId, view, texts, messages }, { status: view.status, headers });
};

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data ? `${data.texts.title} · ${PRODUCT_NAME}` : PRODUCT_NAME },
  { name: "robots", content: "noindex" },
  { name: "referrer", content: "no-referrer" },
  ...(data?.view.kind === "file" ? socialCard(data.texts) : []),
];

/** Names the file or the transfer, not the sender. */
function socialCard({ title, description }: { title: string; description: string }) {
  return [
    { name: "description", content: description },
    { property: "og:type", content: "website" },
    { property: "og:site_name", content: PRODUCT_NAME },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { name: "twitter:card", content: "summary" },
    { name: "twitter:title", content: title },
    { name: "twitter:description", content: description },
  ];
}

function descriptionOf(view: DownloadView, request: Request): string {
  if (view.kind !== "file") return "";
  const { size, transfer } = view.info;
  if (!transfer) {
    const t = requestTranslator(request, "download");
    return t("sharedFile", { size: formatBytes(size, t.locale) });
  }
  const t = requestTranslator(request, "transfers");
  return t("countAndSize", { count: transfer.entries, size: formatBytes(transfer.bytes, t.locale) });
}

function titleOf(view: DownloadView, request: Request): string {
  if (view.kind === "file") return view.info.transfer?.title ?? view.info.filename;
  const t = requestTranslator(request, "download");
  if (view.status === 429) return t("titleWait");
  return t(view.status === 410 ? "expired" : "notFound");
}

export default function Download() {
  const { downloadId, view } = useLoaderData<typeof loader>();
  const isTransfer = view.kind === "file" && view.list !== null;
  return (
    <div className={`mx-auto px-4 py-10 sm:px-6 lg:py-20 ${isTransfer ? "max-w-4xl" : "max-w-xl"}`}>
      <Suspense>{cardOf(downloadId, view)}</Suspense>
    </div>
  );
}

function cardOf(downloadId: string, view: DownloadView) {
  if (view.kind === "refused") {
    if (view.status === 429) return <TooManyRequests message={view.message} />;
    return <LinkEnded expired={view.status === 410} message={view.message} />;
  }
  const { info, list, now } = view;
  if (info.transfer && list) {
    return (
      <TransferDownload downloadId={downloadId} info={info} transfer={info.transfer} first={list} serverNow={now} />
    );
  }
  return info.status === "uploading" ? (
    <UploadInProgress downloadId={downloadId} info={info} />
  ) : (
    <FileReady downloadId={downloadId} info={info} serverNow={now} />
  );
}
