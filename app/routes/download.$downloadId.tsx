import { data, type HeadersFunction, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { UploadInProgress } from "#app/features/download/upload-in-progress.tsx";
import { LinkEnded } from "#app/features/download/link-ended.tsx";
import { FileReady } from "#app/features/download/file-ready.tsx";
import { TooManyRequests } from "#app/features/download/too-many-requests.tsx";
import { loadMessages, requestTranslator } from "#app/lib/i18n/messages.server.ts";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { formatBytes } from "#domain/units.ts";
import type { DownloadInfo } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import type { DownloadView } from "#worker/pages/page-types.ts";

// The URL is the secret: keep it from search engines, caches and other sites (decision 010).
const PRIVATE = { "referrer-policy": "no-referrer", "x-robots-tag": "noindex", "cache-control": "private, no-store" };

export const loader = async ({ params, request, context }: LoaderFunctionArgs) => {
  const downloadId = params.downloadId ?? "";
  const view = await context.findDownload(downloadId);
  const wait = view.kind === "refused" ? view.retryAfterSeconds : undefined;
  const headers = { ...PRIVATE, ...(wait === undefined ? {} : { "retry-after": String(wait) }) };
  const t = requestTranslator(request, "download");
  const texts = { title: titleOf(view, t), description: descriptionOf(view, t) };
  const messages = loadMessages(request, "download", "reportReasons");
  return data({ downloadId, view, texts, messages }, { status: view.status, headers });
};

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data ? `${data.texts.title} · ${PRODUCT_NAME}` : PRODUCT_NAME },
  { name: "robots", content: "noindex" },
  { name: "referrer", content: "no-referrer" },
  ...(data?.view.kind === "file" ? socialCard(data.view.info, data.texts.description) : []),
];

/** Names the file, not the sender. */
function socialCard({ filename }: DownloadInfo, description: string) {
  return [
    { name: "description", content: description },
    { property: "og:type", content: "website" },
    { property: "og:site_name", content: PRODUCT_NAME },
    { property: "og:title", content: filename },
    { property: "og:description", content: description },
    { name: "twitter:card", content: "summary" },
    { name: "twitter:title", content: filename },
    { name: "twitter:description", content: description },
  ];
}

function descriptionOf(view: DownloadView, t: Translate<"download">): string {
  return view.kind === "file" ? t("sharedFile", { size: formatBytes(view.info.size, t.locale) }) : "";
}

function titleOf(view: DownloadView, t: Translate<"download">): string {
  if (view.kind === "file") return view.info.filename;
  if (view.status === 429) return t("titleWait");
  return t(view.status === 410 ? "expired" : "notFound");
}

export default function Download() {
  const { downloadId, view } = useLoaderData<typeof loader>();
  return <div className="mx-auto max-w-xl px-4 py-10 sm:px-6 lg:py-20">{cardOf(downloadId, view)}</div>;
}

function cardOf(downloadId: string, view: DownloadView) {
  if (view.kind === "refused") {
    if (view.status === 429) return <TooManyRequests message={view.message} />;
    return <LinkEnded expired={view.status === 410} message={view.message} />;
  }
  const { info, now } = view;
  return info.status === "uploading" ? (
    <UploadInProgress downloadId={downloadId} info={info} />
  ) : (
    <FileReady downloadId={downloadId} info={info} serverNow={now} />
  );
}
