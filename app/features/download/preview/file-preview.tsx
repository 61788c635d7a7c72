import { Eye } from "lucide-react";
import { lazy, Suspense, useState, type ReactNode } from "react";
import { useHydrated } from "#app/lib/clock.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { previewOf, previewNeedsClick, type PreviewKind } from "#domain/preview.ts";
import { formatBytes } from "#domain/units.ts";
import type { DownloadInfo } from "#domain/wire.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { Button } from "#app/ui/button.tsx";
import { AudioPreview, ImagePreview, VideoPreview, type ViewerProps } from "./media.tsx";
import { PreviewBoundary } from "./preview-boundary.tsx";

/** Fetched when somebody asks for them. */
const PdfPreview = lazy(() => importWhenOnline(() => import("./pdf-preview.client.tsx")));
const TextPreview = lazy(() => importWhenOnline(() => import("./text-preview.client.tsx")));

const VIEWERS: Record<PreviewKind, (props: ViewerProps) => ReactNode> = {
  image: ImagePreview,
  video: VideoPreview,
  audio: AudioPreview,
  pdf: (props) => <PdfPreview {...props} />,
  text: (props) => <TextPreview {...props} />,
};

/** A look at the file, where its kind can be shown so that it can do nothing (domain/preview.ts); else nothing. */
export function FilePreview({ downloadId, info }: { downloadId: string; info: DownloadInfo }) {
  const t = useMessages("download");
  const [asked, setAsked] = useState(false);
  const [failed, setFailed] = useState(false);
  const hydrated = useHydrated();
  const preview = previewOf(info.mimeType);
  if (!preview || info.size === 0) return null;
  if (previewNeedsClick(preview, info.size) && !asked) {
    return (
      <Button
        look="quiet"
        wide
        className="mt-3"
        // Before the page is alive a click would be lost.
        disabled={!hydrated}
        onClick={() => {
          setAsked(true);
        }}
      >
        <Eye size={20} aria-hidden />
        {t("preview")}
        {preview.kind === "image" && <span className="text-muted">({formatBytes(info.size, t.locale)})</span>}
      </Button>
    );
  }
  const fail = () => {
    setFailed(true);
  };
  const Viewer = VIEWERS[preview.kind];
  return (
    <section aria-label={t("preview")} tabIndex={-1} ref={asked ? takeFocus : null} className="mt-5">
      {failed && (
        <p role="status" className="rounded-2xl bg-sunken p-4 text-sm text-muted">
          {t("previewFailed")}
        </p>
      )}
      {/* An element that failed before the page was alive would have told nobody: until then its place is kept. */}
      {!failed && !hydrated && <div className={preview.kind === "audio" ? "h-14" : "h-80 sm:h-96"} />}
      {!failed && hydrated && (
        <PreviewBoundary onError={fail}>
          <Suspense fallback={<Loading />}>
            <Viewer url={previewPath(downloadId)} info={info} onError={fail} loading={<Loading />} />
          </Suspense>
        </PreviewBoundary>
      )}
    </section>
  );
}

/** The button that had the focus is gone: the keyboard goes on where the preview is. */
function takeFocus(preview: HTMLElement | null): void {
  preview?.focus({ preventScroll: true });
}

/** On this very origin, whatever name it is reached by: the address answers to no other site. */
function previewPath(downloadId: string): string {
  return `/api/files/download/${downloadId}/preview`;
}

function Loading() {
  const t = useMessages("download");
  return (
    <p role="status" className="grid h-80 place-items-center rounded-2xl bg-sunken text-sm text-muted sm:h-96">
      {t("openingPreview")}
    </p>
  );
}
