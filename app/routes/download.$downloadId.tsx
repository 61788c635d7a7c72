import { data, type HeadersFunction, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, type ShouldRevalidateFunctionArgs } from "@remix-run/react";
import { lazy, Suspense, useEffect, useState, type ReactNode } from "react";
import { lookFromCookies, type Look } from "#app/features/download/pictures/look.ts";
import { differOnlyInShownFile } from "#app/features/download/pictures/shown-file-param.ts";
import { FileDownload } from "#app/features/download/file-download.tsx";
import { readRefusal } from "#app/features/download/protection/refused.server.ts";
import { BeingChecked, LinkEnded, TooManyRequests } from "#app/features/download/link-refused.tsx";
import type { Refusal } from "#app/features/download/refusal.ts";
import { loadMessages, requestTranslator } from "#app/lib/i18n/messages.server.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { countFiles } from "#app/ui/entries/count-files.ts";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { formatBytes } from "#domain/units.ts";
import type { CardPicture, DownloadView } from "#worker/page-types.ts";

// Loaded lazily, because most visitors open a single file without protection.
const ProtectedLink = lazy(() =>
  importWhenOnline(() => import("#app/features/download/protection/protected-link.tsx")),
);
const LockedLink = lazy(() => importWhenOnline(() => import("#app/features/download/protection/locked-link.tsx")));
const SealedLink = lazy(() => importWhenOnline(() => import("#app/features/download/sealed/sealed-link.tsx")));
const RewrittenLink = lazy(() => importWhenOnline(() => import("#app/features/download/sealed/rewritten-link.tsx")));
const TransferDownload = lazy(() =>
  importWhenOnline(() => import("#app/features/download/transfer/transfer-download.tsx")),
);

// The URL is a secret, so keep it from search engines, caches and other sites (decision 010).
const PRIVATE = { "x-robots-tag": "noindex", "cache-control": "private, no-store" };

/** Only the page of a transfer with pictures has a look. */
const NO_LOOK: { look?: Look | null } = {};

export const loader = async ({ params, request, context }: LoaderFunctionArgs) => {
  const downloadId = params.downloadId ?? "";
  // An id with a `#` contains the link's key, so is not looked up. The page repairs its address by script.
  if (downloadId.includes("#")) return rewrittenLink(request);
  const found = await context.findDownload(downloadId);
  const refusal = readRefusal(request, found);
  const view = endIfUsedUp(found, refusal);
  const wait = view.kind === "refused" ? view.retryAfterSeconds : undefined;
  const kind = kindOf(view);
  const isGuarded = kind !== "refused" && kind !== "open";
  // Without a referrer, a form's origin is "null" (Fetch standard), which the server refuses as another site's.
  const referrer: "same-origin" | "no-referrer" = isGuarded ? "same-origin" : "no-referrer";
  const headers = {
    ...PRIVATE,
    "referrer-policy": referrer,
    ...(wait === undefined ? {} : { "retry-after": String(wait) }),
  };
  const texts = { title: titleOf(view, kind, request), card: cardTextsOf(view, kind, request) };
  const isSealed = kind === "sealed";
  const isTransfer = view.kind === "file" && (isSealed || view.info.transfer !== undefined);
  const hasPictures = view.kind === "file" && view.info.transfer?.pictures !== undefined;
  const messages = loadMessages(
    request,
    "download",
    "reportReasons",
    ...(isTransfer ? (["transfers"] as const) : []),
    ...(hasPictures ? (["pictures"] as const) : []),
    ...(isGuarded ? (["guardedLinks"] as const) : []),
    ...(isSealed ? (["sealedLinks"] as const) : []),
  );
  const look = hasPictures ? { look: lookFromCookies(request.headers.get("cookie")) } : NO_LOOK;
  return data(
    { downloadId, view, kind, refusal, texts, referrer, messages, ...look },
    { status: view.status, headers },
  );
};

/** A page that shows another file in its viewer has the same data. */
export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return !differOnlyInShownFile(currentUrl, nextUrl) && defaultShouldRevalidate;
}

/** Answers 200 without a lookup. A browser without scripts shows a text that says how the link was damaged. */
function rewrittenLink(request: Request) {
  const texts = { title: requestTranslator(request, "guardedLinks")("protectedTransfer"), card: null };
  const messages = loadMessages(request, "download", "sealedLinks");
  const headers = { ...PRIVATE, "referrer-policy": "no-referrer" };
  const facts = { downloadId: "", view: null, kind: "rewritten", refusal: null, referrer: "no-referrer" } as const;
  return data({ ...facts, ...NO_LOOK, texts, messages }, { headers });
}

/**
 * The link's state. `sealed`: a sealed link, locked or not; `locked`: a plain link whose password is missing;
 * `guarded`: a plain link with protection, unlocked.
 */
type LinkKind = "refused" | "sealed" | "locked" | "guarded" | "open";

function kindOf(view: DownloadView): LinkKind {
  if (view.kind === "refused") return "refused";
  if ((view.kind === "locked" ? view : view.info).seal) return "sealed";
  if (view.kind === "locked") return "locked";
  return view.info.guards ? "guarded" : "open";
}

/** Shows the end of a link whose downloads are used up only after this browser was refused a download. */
function endIfUsedUp(view: DownloadView, refusal: Refusal | null): DownloadView {
  if (refusal?.code !== "DOWNLOADS_USED_UP") return view;
  return { kind: "refused", status: 410, code: refusal.code, message: refusal.message, isTransfer: false };
}

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data ? `${data.texts.title} · ${PRODUCT_NAME}` : PRODUCT_NAME },
  { name: "robots", content: "noindex" },
  { name: "referrer", content: data?.referrer ?? "no-referrer" },
  ...(data?.texts.card ? socialCard(data.texts.card) : []),
];

interface CardTexts {
  title: string;
  description: string;
  /** The tags of a card with a picture, made by the server, so that the page's scripts stay small. */
  pictureTags?: { property: string; content: string }[];
}

/** The card names the file or transfer, but not the sender. */
function socialCard({ title, description, pictureTags }: CardTexts) {
  return [
    { name: "description", content: description },
    { property: "og:type", content: "website" },
    { property: "og:site_name", content: PRODUCT_NAME },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    ...(pictureTags ?? []),
    { name: "twitter:card", content: pictureTags ? "summary_large_image" : "summary" },
    { name: "twitter:title", content: title },
    { name: "twitter:description", content: description },
  ];
}

/** A chat that shows cards learns only that a link is protected: links with a password and sealed links look alike. */
function cardTextsOf(view: DownloadView, kind: LinkKind, request: Request): CardTexts | null {
  if (view.kind === "refused") return null;
  if (kind === "sealed" || view.kind === "locked" || view.info.guards?.password) {
    const t = requestTranslator(request, "guardedLinks");
    return { title: t("protectedTransfer"), description: t("protectedCard") };
  }
  const { info, list, cardPicture } = view;
  const title = titleOf(view, kind, request);
  const picture = cardPicture ? { pictureTags: pictureTagsOf(cardPicture, title) } : {};
  if (!info.transfer) {
    const t = requestTranslator(request, "download");
    return { title, description: t("sharedFile", { size: formatBytes(info.size, t.locale) }), ...picture };
  }
  const { entries, bytes } = info.transfer;
  const isComplete = list !== null && list.entries.length === list.total;
  const t = requestTranslator(request, "transfers");
  const count = isComplete ? countFiles(list.entries) : entries;
  return { title, description: t("countAndSize", { count, size: formatBytes(bytes, t.locale) }), ...picture };
}

function pictureTagsOf({ url, width, height }: CardPicture, alt: string): CardTexts["pictureTags"] {
  return [
    { property: "og:image", content: url },
    { property: "og:image:width", content: String(width) },
    { property: "og:image:height", content: String(height) },
    { property: "og:image:alt", content: alt },
  ];
}

function whyRefused({ status, code }: { status: number; code: string }): "ended" | "held" | "unknown" {
  if (code === "LINK_HELD") return "held";
  return status === 410 ? "ended" : "unknown";
}

function titleOf(view: DownloadView, kind: LinkKind, request: Request): string {
  if (kind === "sealed" || view.kind === "locked") {
    return requestTranslator(request, "guardedLinks")("protectedTransfer");
  }
  if (view.kind === "file") return view.info.transfer?.title ?? view.info.filename;
  if (view.code === "DOWNLOADS_USED_UP") return requestTranslator(request, "guardedLinks")("allMade");
  const t = requestTranslator(request, "download");
  if (view.code === "BEING_CHECKED") return t("beingChecked");
  if (view.code === "FILE_INFECTED") return t("linkClosed");
  if (view.status === 429) return t("titleWait");
  if (view.code === "LINK_HELD") return t("held");
  if (view.code === "LINK_UNAVAILABLE") return t("unavailable");
  if (view.status !== 410) return t("notFound");
  return t(view.isTransfer ? "transferExpired" : "expired");
}

export default function Download() {
  const { downloadId, view, kind, refusal, texts, look = null } = useLoaderData<typeof loader>();
  const isTransfer = view?.kind === "file" && view.list !== null;
  useEffect(() => {
    // Removes the refusal of a download from the address, so that a reload does not show the same refusal again.
    const { href, search } = location;
    if (!search.includes("refused=")) return;
    const address = new URL(href);
    address.searchParams.delete("refused");
    address.searchParams.delete("wait");
    history.replaceState(history.state, "", address.pathname + address.search + address.hash);
  }, [view]);
  return (
    <div
      className={`mx-auto px-4 py-10 sm:px-6 lg:py-20 ${isTransfer ? "max-w-4xl has-[[data-wall]]:max-w-6xl" : "max-w-xl"}`}
    >
      {view === null ? (
        <Suspense>
          <RewrittenLink />
        </Suspense>
      ) : (
        <DownloadCard
          key={downloadId}
          downloadId={downloadId}
          view={view}
          isSealed={kind === "sealed"}
          refusal={refusal}
          title={texts.title}
          look={look}
        />
      )}
    </div>
  );
}

interface DownloadCardProps {
  downloadId: string;
  view: DownloadView;
  isSealed: boolean;
  refusal: Refusal | null;
  title: string;
  look: Look | null;
}

function DownloadCard({ downloadId, view, isSealed, refusal, title, look }: DownloadCardProps) {
  const [kinds, setKinds] = useState<{ now: string; before: string | null }>({ now: view.kind, before: null });
  if (kinds.now !== view.kind) setKinds({ now: view.kind, before: kinds.now });
  const isFirst = kinds.before === null;
  const t = useMessages("download");
  // Of the last view with a file: whether the reader saw it arrive.
  const isArriving = view.kind === "file" && view.info.status === "uploading";
  const [wasArriving, setWasArriving] = useState(isArriving);
  if (view.kind === "file" && wasArriving !== isArriving) setWasArriving(isArriving);
  let card: ReactNode;
  if (view.kind === "refused") {
    card =
      view.status === 429 ? (
        <TooManyRequests message={view.message} />
      ) : view.code === "BEING_CHECKED" ? (
        <BeingChecked title={title} message={view.message} />
      ) : view.status === 404 && wasArriving ? (
        <LinkEnded title={t("uploadEnded")} message={t("uploadEndedHelp")} why="ended" />
      ) : (
        <LinkEnded title={title} message={view.message} why={whyRefused(view)} />
      );
  } else if (isSealed) {
    const renderContent = (opened: DownloadView & { kind: "file" }) => contentOf(downloadId, opened, look);
    card = <SealedLink downloadId={downloadId} view={view} refusal={refusal} renderContent={renderContent} />;
  } else if (view.kind === "locked") {
    card = <LockedLink downloadId={downloadId} refusal={isFirst ? refusal : null} isAgain={kinds.before === "file"} />;
  } else {
    card = contentOf(downloadId, view, look);
    const { guards } = view.info;
    if (guards) {
      card = (
        <ProtectedLink downloadId={downloadId} guards={guards} refusal={refusal} wasLocked={kinds.before === "locked"}>
          {card}
        </ProtectedLink>
      );
    }
  }
  return <Suspense>{card}</Suspense>;
}

function contentOf(downloadId: string, { info, list }: DownloadView & { kind: "file" }, look: Look | null): ReactNode {
  const { transfer } = info;
  if (transfer && list) return <TransferDownload {...{ downloadId, info, transfer, look }} first={list} />;
  return <FileDownload downloadId={downloadId} info={info} />;
}
