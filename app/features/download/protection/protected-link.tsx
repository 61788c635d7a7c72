import { useRevalidator } from "@remix-run/react";
import { lazy, Suspense, useEffect, useId, useMemo, useRef, type FormEvent, type ReactNode } from "react";
import { api, ApiError } from "#app/lib/api.ts";
import { useHydrated } from "#app/lib/clock.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import type { SeenProtection } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import { type Refusal, useIsBefore } from "../refusal.ts";
import { ProtectedLinkContext, type ProtectedLinkControls, type DownloadLinkProps } from "./protected-link-context.tsx";
import { bytesUrl, takeUrl, timeOf, useTake, type TakenLease, type Refused } from "./use-take.ts";

const LockedAgainDialog = lazy(() => importWhenOnline(() => import("./locked-again-dialog.client.tsx")));

interface ProtectedLinkProps {
  downloadId: string;
  guards: SeenProtection;
  /** Why the server refused a form that was posted without a script. */
  refusal: Refusal | null;
  /** Whether the password was just entered, so that the focus was in its field. */
  wasLocked: boolean;
  /** Unlocks the link again without asking. @returns whether that worked. Default: a dialog asks for the password. */
  unlockAgain?: () => Promise<boolean>;
  children: ReactNode;
}

/** Gets a lease before bytes are downloaded, and asks for the password again after the grant has ended. */
export default function ProtectedLink(props: ProtectedLinkProps) {
  const { downloadId, guards, refusal, wasLocked, unlockAgain, children } = props;
  const formId = useId();
  const { lease, refused, endLock, take } = useTake(downloadId, refusal, unlockAgain);
  const isRunning = useIsBefore(lease?.until ?? null);
  const held = lease !== null && (lease.until === null || isRunning) ? lease : null;
  useRefreshAfter(downloadId, held !== null);
  const isWaiting = useIsBefore(refused?.retryAt ?? null);
  const protectedLink = useMemo<ProtectedLinkControls>(
    () => ({
      formId,
      hrefOf: takeUrl,
      isTakeNeeded: guards.maxDownloads !== null && held === null,
      opensOnce: guards.maxDownloads === 1,
      notes: <Notes guards={guards} held={held} refusal={refused?.message ?? null} />,
      previewNote: <PreviewNote />,
      take,
      renderLink: ({ href, className, children: label }) => (
        <TakeButton formId={formId} refused={refused} isWaiting={isWaiting} href={href} className={className}>
          {label}
        </TakeButton>
      ),
      renderForm: (onTaken) => (
        <LinkForm
          id={formId}
          method="post"
          onAsk={async (address) => {
            if (await take(address)) onTaken(bytesUrl(address));
          }}
        />
      ),
    }),
    [formId, guards, held, refused, isWaiting, take],
  );
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (wasLocked) card.current?.focus({ preventScroll: true });
    // oxlint-disable-next-line react/exhaustive-deps -- once
  }, []);
  return (
    <ProtectedLinkContext.Provider value={protectedLink}>
      <div ref={card} tabIndex={-1} className="outline-none">
        {children}
      </div>
      {endLock && (
        <Suspense>
          <LockedAgainDialog downloadId={downloadId} onUnlocked={() => endLock(true)} onClose={() => endLock(false)} />
        </Suspense>
      )}
    </ProtectedLinkContext.Provider>
  );
}

interface LinkFormProps {
  id: string;
  method?: "post";
  /** @param address the `formAction` of the pressed button */
  onAsk(address: string): unknown;
}

/** The form for the buttons that download. A button's `formAction` names the bytes. */
export function LinkForm({ id, method, onAsk }: LinkFormProps) {
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    if (submitter && submitter.getAttribute("aria-disabled") !== "true")
      onAsk(submitter.getAttribute("formaction") ?? "");
  };
  return <form id={id} method={method} onSubmit={onSubmit} />;
}

/** Reloads the page's data when the lease has ended, because downloads may have been counted under the lease. */
function useRefreshAfter(downloadId: string, isHeld: boolean): void {
  const { revalidate } = useRevalidator();
  const wasHeld = useRef(false);
  useEffect(() => {
    if (wasHeld.current && !isHeld) {
      // The API is asked first, because a failed revalidation would replace the page with an error.
      api.downloadInfo(downloadId).then(revalidate, (error: unknown) => {
        if (error instanceof ApiError) revalidate();
      });
    }
    wasHeld.current = isHeld;
  }, [downloadId, isHeld, revalidate]);
}

interface NotesProps {
  guards: SeenProtection;
  /** This browser's lease; null if the browser needs one before it reads bytes. */
  held: TakenLease | null;
  refusal: string | null;
}

function Notes({ guards, held, refusal }: NotesProps) {
  const t = useMessages("guardedLinks");
  const hydrated = useHydrated();
  return (
    <>
      {refusal !== null && (
        <p
          role="alert"
          ref={hydrated ? scrollToNotice : null}
          className="mt-3 rounded-2xl border border-amber px-4 py-3 text-sm"
        >
          {refusal}
        </p>
      )}
      <p role="status" className="mt-3 text-center text-sm text-balance text-muted empty:hidden">
        {refusal === null && limitText(guards, held, t)}
      </p>
    </>
  );
}

function PreviewNote() {
  const t = useMessages("guardedLinks");
  return <p className="mt-2 text-center text-sm text-muted noscript:hidden">{t("lookingCounts")}</p>;
}

function limitText(
  { maxDownloads, left }: SeenProtection,
  held: TakenLease | null,
  t: Translate<"guardedLinks">,
): string | null {
  if (maxDownloads === null || left === null) return null;
  if (held) return held.until === null ? t("ownUncounted") : t("goOnUntil", { time: timeOf(held.until, t.locale) });
  return left === 0 ? t("noneForOthers") : t("downloadsLeft", { left, max: maxDownloads });
}

/** Scrolls to the notice, because the pressed button may be far from the notice. */
function scrollToNotice(notice: HTMLElement | null): void {
  notice?.scrollIntoView({ block: "nearest" });
}

interface TakeButtonProps extends Omit<DownloadLinkProps, "onClick"> {
  formId: string;
  refused: Refused | null;
  /** Whether the server's wait time after a refused download is not over yet. */
  isWaiting: boolean;
}

/** A button that gets a lease and then downloads the bytes at `href`. Works without scripts too. */
function TakeButton({ formId, refused, isWaiting, href, className, children }: TakeButtonProps) {
  const t = useMessages("download");
  const address = takeUrl(href);
  const isRefused = refused?.url === address;
  return (
    <button
      type="submit"
      form={formId}
      formAction={address}
      // The `disabled` attribute would lose the focus.
      aria-disabled={isRefused && isWaiting}
      className={`${className} cursor-pointer`}
    >
      {isRefused ? t("tryAgain") : children}
    </button>
  );
}
