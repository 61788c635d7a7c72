import { useLocation, useRevalidator } from "@remix-run/react";
import { useEffect, useMemo, useRef, useState, type ReactNode, type RefObject, useSyncExternalStore } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { writeFragment, readFragment, type Fragment, type UnreadableFragment } from "#domain/seal/fragment.ts";
import type { Manifest } from "#domain/seal/manifest.ts";
import { SealError } from "#domain/seal/seal-error.ts";
import type { DownloadView } from "#worker/page-types.ts";
import ProtectedLink from "../protection/protected-link.tsx";
import { UnlockForm } from "../protection/unlock-form.tsx";
import type { Refusal } from "../refusal.ts";
import { KeyMissing } from "./key-missing.tsx";
import { SealedCard } from "./sealed-card.tsx";
import { describeLink, type DescribedLink } from "./sealed-files.ts";
import { SealedPageProvider } from "./sealed-page.tsx";
import { type OpenedSealedLink, useSealedLink, type LinkFailure } from "./use-sealed-link.ts";
import { useStoredStreams } from "./use-stored-streams.ts";

type FileView = DownloadView & { kind: "file" };

interface SealedLinkProps {
  downloadId: string;
  view: FileView | (DownloadView & { kind: "locked" });
  /** Why the server refused a form that was posted without a script. */
  refusal: Refusal | null;
  /** Renders the page of a plain link. */
  renderContent(view: FileView): ReactNode;
}

/** The page of a sealed link. It decrypts the link's list of files with the key behind `#`. */
export default function SealedLink(props: SealedLinkProps) {
  const { state } = useLocation() as { state: unknown };
  const isRewritten = typeof state === "object" && state !== null && "isRewritten" in state;
  const t = useMessages("sealedLinks");
  const fragment = useFragment();
  const place = useRef<HTMLDivElement>(null);
  return (
    <div ref={place} tabIndex={-1} className="outline-none">
      {isRewritten && (
        <p role="status" className="mb-4 rounded-2xl border border-amber px-4 py-3 text-sm">
          {t("rewritten")}
        </p>
      )}
      {/* Another fragment mounts a new card, so that no state of the previous key stays. */}
      <SealedLinkCard key={fragment?.text} {...props} fragment={fragment} place={place} />
    </div>
  );
}

interface SealedLinkCardProps extends SealedLinkProps {
  fragment: ReturnType<typeof useFragment>;
  /** The element around the link's card. It can take the focus, because it stays when the card changes. */
  place: RefObject<HTMLElement>;
}

function SealedLinkCard({ downloadId, view, refusal, renderContent, fragment, place }: SealedLinkCardProps) {
  const t = useMessages("sealedLinks");
  const { revalidate, state } = useRevalidator();
  const readable = fragment && !("problem" in fragment.read) ? fragment.read : null;
  const isLocked = view.kind === "locked";
  const seal = isLocked ? view.seal : view.info.seal;
  const { link, failure, isLockedAgain, unlock, unlockAgain, readNewestList, retry } = useSealedLink(
    downloadId,
    readable,
    seal,
    { isLocked, revision: isLocked ? null : (view.info.seal?.revision ?? null) },
  );
  // The last view with files, kept after the grant has ended, because the page unlocks the link again.
  const [opened, setOpened] = useState<FileView | null>(null);
  if (view.kind === "file" && opened !== view) setOpened(view);
  if (fragment && "problem" in fragment.read) return <KeyMissing downloadId={downloadId} unreadable={fragment.read} />;
  const onRetry = () => {
    // Moves the focus, because the pressed button goes.
    place.current?.focus({ preventScroll: true });
    retry();
  };
  if (failure) return <Failed failure={failure} onRetry={onRetry} />;
  if (link && opened) {
    return (
      <OpenedCard
        downloadId={downloadId}
        view={opened}
        link={link}
        fragment={readable ? writeFragment(readable) : ""}
        refusal={refusal}
        unlockAgain={unlockAgain}
        readNewestList={readNewestList}
        renderContent={renderContent}
      />
    );
  }
  if (seal?.kdf && !link && readable) {
    return (
      <SealedCard text={t(isLockedAgain ? "lockedAgain" : "enterPassword")}>
        <div className="mt-6">
          {/* `onUnlocked` reloads the page, because a new password has a new salt, which comes with the page. */}
          <UnlockForm
            downloadId={downloadId}
            refusal={null}
            isLoading={isLockedAgain && state === "loading"}
            send={unlock}
            onUnlocked={revalidate}
          />
        </div>
      </SealedCard>
    );
  }
  return <Opening />;
}

function Opening() {
  const t = useMessages("sealedLinks");
  return (
    <SealedCard>
      <p role="status" className="mt-2 text-muted noscript:hidden">
        {t("unlocking")}
      </p>
      <noscript>
        <p className="mt-2 text-muted">{t("needsScripts")}</p>
      </noscript>
    </SealedCard>
  );
}

function Failed({ failure, onRetry }: { failure: LinkFailure; onRetry(): void }) {
  const t = useMessages("sealedLinks");
  const isFinal = ["damaged", "wrongKey", "manifest"].includes(failure.problem);
  return (
    <SealedCard>
      <p role="alert" className="mt-2 text-balance text-danger">
        {failure.problem === "refused" ? failure.message : t(FAILURES[failure.problem])}
      </p>
      {!isFinal && (
        <Button look="quiet" className="mt-6" onClick={onRetry}>
          {t("tryAgain")}
        </Button>
      )}
    </SealedCard>
  );
}

const FAILURES = {
  damaged: "listDamaged",
  manifest: "listDamaged",
  wrongKey: "wrongKey",
  version: "newerPage",
  notUnlocked: "notUnlocked",
} as const;

interface OpenedCardProps {
  downloadId: string;
  view: FileView;
  link: OpenedSealedLink;
  fragment: string;
  refusal: Refusal | null;
  unlockAgain(): Promise<boolean>;
  readNewestList(): Promise<Manifest | null>;
  renderContent(view: FileView): ReactNode;
}

function OpenedCard(props: OpenedCardProps) {
  const { downloadId, view, link, fragment, refusal, unlockAgain, readNewestList, renderContent } = props;
  const t = useMessages("sealedLinks");
  const { info } = view;
  const streams = useStoredStreams(downloadId, view);
  const shown = useMemo(() => {
    if (!streams) return null;
    try {
      return describeLink(downloadId, view.info, link, streams, t("encryptedTransfer"));
    } catch (error) {
      if (error instanceof SealError) return error;
      throw error;
    }
  }, [downloadId, view.info, link, streams, t]);
  // The last description is kept while a newer list loads, because running decryptions need a description.
  const [kept, setKept] = useState<DescribedLink | null>(null);
  if (shown && !(shown instanceof SealError) && kept !== shown) setKept(shown);
  const title = kept?.title ?? null;
  useEffect(() => {
    if (title !== null) document.title = `${title} · ${PRODUCT_NAME}`;
  }, [title]);
  if (shown instanceof SealError) return <Failed failure={{ problem: shown.problem }} onRetry={() => undefined} />;
  const described = shown ?? kept;
  if (!described) return <Opening />;
  const { files, list, unlisted } = described;
  if (files.length === 0 && described.info.status === "ready")
    return <SealedCard text={unlisted === 0 ? t("allRemoved") : t("unlisted", { count: unlisted })} />;
  const content = renderContent({ ...view, info: described.info, list });
  return (
    <ProtectedLink
      downloadId={downloadId}
      guards={info.guards ?? NO_PROTECTION}
      refusal={refusal}
      wasLocked={false}
      unlockAgain={unlockAgain}
    >
      <SealedPageProvider
        downloadId={downloadId}
        link={link}
        files={files}
        title={described.title}
        unlisted={unlisted}
        fragment={fragment}
        isCounted={(info.guards?.maxDownloads ?? null) !== null}
        unlockAgain={unlockAgain}
        readNewestList={readNewestList}
      >
        {content}
      </SealedPageProvider>
    </ProtectedLink>
  );
}

const NO_PROTECTION = { password: false, sealed: true, maxDownloads: null, left: null };

/** The URL's part behind `#`; null during server rendering and hydration, since no server sees the fragment. */
function useFragment(): { text: string; read: Fragment | UnreadableFragment } | null {
  const text = useSyncExternalStore(
    onHashChange,
    () => location.hash.slice(1),
    () => null,
  );
  return useMemo(() => (text === null ? null : { text, read: readFragment(text) }), [text]);
}

function onHashChange(listener: () => void): () => void {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
}
