import { lazy, Suspense, useEffect, useRef, type ReactNode, type RefObject } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { clearPendingFile } from "#app/lib/pending-file.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { ChooseFile } from "./choose-file.tsx";
import { currentUpload, isSending } from "./current-upload.ts";
import type { DroppedItem } from "./transfer/dropped-items.ts";
import type { LaterStepsProps } from "./later-steps.tsx";
import { Waiting } from "./waiting.tsx";

/** Not needed before a file is chosen, and loaded when the person is about to. */
const loadLaterSteps = async () => {
  const later = await importWhenOnline(() => import("./load-later-steps.client.ts"));
  return later.loadLaterSteps();
};
const LaterSteps = lazy(() => loadLaterSteps().then(({ LaterSteps }) => ({ default: LaterSteps })));

interface UploadStepsProps extends LaterStepsProps {
  /** Several files or folders can be sent. */
  takesMany: boolean;
  onFile(file: File): void;
  onMany(items: DroppedItem[]): void;
  onPrepare(): void;
  notice?: ReactNode;
  footnote?: ReactNode;
}

export function UploadSteps({ notice, footnote, takesMany, onFile, onMany, onPrepare, ...later }: UploadStepsProps) {
  const { upload, fileToConfirm } = later;
  const t = useMessages("uploads");
  const isChoosing = upload.mode === "idle" && !fileToConfirm;
  const choice = useFocusOnReturn(isChoosing);
  if (!isChoosing) {
    return (
      <Suspense fallback={<Loading {...later} />}>
        <LaterSteps {...later} />
      </Suspense>
    );
  }
  return (
    <div ref={choice} className="grid gap-5">
      {upload.failed && (
        <Suspense fallback={<p>{t("starting")}</p>}>
          <LaterSteps {...later} />
        </Suspense>
      )}
      {notice}
      <ChooseFile
        {...later}
        takesMany={takesMany}
        onPrepare={() => {
          onPrepare();
          loadLaterSteps().catch(() => undefined);
        }}
        onFile={(file) => {
          clearPendingFile();
          onFile(file);
        }}
        onMany={onMany}
      />
      {footnote}
    </div>
  );
}

/**
 * Back at the choice, its first control has the focus if the button that led here had it.
 * @returns for the element around the choice
 */
function useFocusOnReturn(isChoosing: boolean): RefObject<HTMLDivElement> {
  const choice = useRef<HTMLDivElement>(null);
  const wasChoosing = useRef(isChoosing);
  useEffect(() => {
    const isBack = isChoosing && !wasChoosing.current;
    wasChoosing.current = isChoosing;
    if (isBack && document.activeElement === document.body) choice.current?.querySelector("input")?.focus();
  }, [isChoosing]);
  return choice;
}

/** Until the step's script is loaded. What is being sent already cannot be left here. */
function Loading({ upload, fileToConfirm, onBack }: LaterStepsProps) {
  const t = useMessages("uploads");
  const leave = () => {
    currentUpload.reset();
    onBack();
  };
  const canLeave = fileToConfirm !== null || (upload.mode === "transfer" && !isSending(upload));
  return <Waiting text={t("starting")} onBack={canLeave ? leave : undefined} />;
}
