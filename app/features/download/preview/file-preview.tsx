import clsx from "clsx";
import { Eye } from "lucide-react";
import { lazy, Suspense, useContext, useState, type ComponentProps, type ReactNode, Component } from "react";
import { useHydrated } from "#app/lib/clock.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { Button } from "#app/ui/button.tsx";
import { isWrittenText, previewOf, previewNeedsClick, type PreviewKind } from "#domain/preview.ts";
import { formatBytes } from "#domain/units.ts";
import { ProtectedLinkContext } from "../protection/protected-link-context.tsx";
import { SealedPageContext } from "../sealed/sealed-context.ts";
import { AudioPreview, ImagePreview, VideoPreview, type PreviewedFile, type ViewerProps } from "./media.tsx";

/** Most links have no pictures. */
const Picture = lazy(() => importWhenOnline(() => import("../pictures/picture.client.tsx")));
const PdfPreview = lazy(() => importWhenOnline(() => import("./pdf-preview.client.tsx")));
const FollowedMedia = lazy(() => importWhenOnline(() => import("./followed-media.client.tsx")));
const TextPreview = lazy(() => importWhenOnline(() => import("./text-preview.client.tsx")));

export const VIEWERS: Record<PreviewKind, (props: ViewerProps) => ReactNode> = {
  image: ImagePreview,
  video: VideoPreview,
  audio: AudioPreview,
  pdf: (props) => <PdfPreview {...props} />,
  text: (props) => <TextPreview {...props} />,
};

interface FilePreviewProps {
  file: PreviewedFile;
  url: string;
  /** Whether the reader has already asked for the preview, so that no second click is needed. */
  wasRequested?: boolean;
  /** Whether the file is still being uploaded. */
  isArriving?: boolean;
  /** The file's view or tile, shown while its preview is not; null for none. */
  pictureUrl?: string | null;
}

/** What can be seen before all of it is there. */
const SEEN_ARRIVING: ReadonlySet<PreviewKind> = new Set(["video", "audio", "text"]);

/**
 * A file's preview, or a button for it below the file's picture. A file whose type has no safe preview (decision 017) has
 * its picture alone.
 */
export function FilePreview(props: FilePreviewProps) {
  const { file, url, wasRequested = false, isArriving = false, pictureUrl = null } = props;
  const t = useMessages("download");
  const protectedLink = useContext(ProtectedLinkContext);
  const sealed = useContext(SealedPageContext);
  const isTakeNeeded = protectedLink?.isTakeNeeded ?? false;
  const [isRequested, setIsRequested] = useState(wasRequested && !isTakeNeeded);
  const [wasArriving] = useState(isArriving);
  // What fails while the file arrives may work once all of it is there.
  const [failed, setFailed] = useState<{ isArriving: boolean } | null>(null);
  const hasFailed = failed?.isArriving === isArriving;
  const hydrated = useHydrated();
  const preview = previewOf(file.mimeType);
  const picture = pictureUrl !== null && (
    <FilePicture
      url={pictureUrl}
      alt={file.filename}
      className="mt-5 h-80 w-full rounded-2xl bg-sunken object-contain sm:h-96"
      instead={null}
    />
  );
  if (!preview || file.size === 0 || (isArriving && !SEEN_ARRIVING.has(preview.kind))) return picture;
  // The server lets a limited number of responses follow an upload, so a reader asks for each.
  const isText = isWrittenText(file);
  const needsClick = previewNeedsClick(preview, file.size) && !isText;
  if ((needsClick || isTakeNeeded || isArriving) && !isRequested) {
    const request = async () => {
      if (!protectedLink || (await protectedLink.take())) setIsRequested(true);
    };
    return (
      <>
        {picture}
        <Button
          // The text is what the link is for; other previews are beside the download.
          look={isText ? "primary" : "quiet"}
          wide
          className={clsx("noscript:hidden", isText ? "mt-5" : "mt-3")}
          // The button is disabled before hydration, when a click would be lost.
          disabled={!hydrated}
          onClick={() => void request()}
        >
          <Eye size={20} aria-hidden />
          {t(isText ? "showText" : "preview")}
          {preview.kind === "image" && <span className="text-muted">({formatBytes(file.size, t.locale)})</span>}
        </Button>
        {isTakeNeeded &&
          (isText && protectedLink?.opensOnce ? (
            <p className="mt-2 text-center text-sm text-muted noscript:hidden">{t("opensOnce")}</p>
          ) : (
            protectedLink?.previewNote
          ))}
      </>
    );
  }
  const fail = () => setFailed({ isArriving });
  const Viewer = VIEWERS[preview.kind];
  const isFollowed = wasArriving && preview.kind !== "text";
  const loading = <Loading isShort={isText} />;
  const viewer = { url, file, onError: fail, loading };
  return (
    <section aria-label={t("preview")} tabIndex={-1} ref={isRequested ? focusPreview : null} className="mt-5">
      {hasFailed && (
        <p role="status" className="rounded-2xl bg-sunken p-4 text-sm text-muted">
          {t("previewFailed")}
        </p>
      )}
      {/* A placeholder until hydration, because media that fail to load before hydration would not fire `onError`. */}
      {!hasFailed && !hydrated && <div className={preview.kind === "audio" || isText ? "h-14" : "h-80 sm:h-96"} />}
      {!hasFailed && hydrated && (
        <PreviewBoundary onError={fail}>
          <Suspense fallback={loading}>
            {sealed ? (
              sealed.renderViewer(preview.kind, viewer)
            ) : isFollowed ? (
              <FollowedMedia viewer={viewer} isArriving={isArriving} renderViewer={(props) => <Viewer {...props} />} />
            ) : (
              <Viewer {...viewer} />
            )}
          </Suspense>
        </PreviewBoundary>
      )}
    </section>
  );
}

/** A file's tile or view. */
export function FilePicture(props: ComponentProps<typeof Picture>) {
  const hydrated = useHydrated();
  if (!hydrated) return props.instead;
  return (
    <Suspense fallback={props.instead}>
      <Picture {...props} />
    </Suspense>
  );
}

/** Moves the focus to the preview, because the button that had the focus is gone. */
function focusPreview(preview: HTMLElement | null): void {
  preview?.focus({ preventScroll: true });
}

function Loading({ isShort }: { isShort: boolean }) {
  const t = useMessages("download");
  return (
    <p
      role="status"
      className={clsx(
        "grid place-items-center rounded-2xl bg-sunken text-sm text-muted",
        isShort ? "h-14" : "h-80 sm:h-96",
      )}
    >
      {t("openingPreview")}
    </p>
  );
}

interface PreviewBoundaryProps {
  onError(): void;
  children: ReactNode;
}

/** Catches errors of a viewer and of loading its script. */
class PreviewBoundary extends Component<PreviewBoundaryProps, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override componentDidCatch() {
    this.props.onError();
  }

  override render() {
    return this.state.broken ? null : this.props.children;
  }
}
