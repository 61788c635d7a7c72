import { NotebookPen } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState, type ReactNode, type RefObject } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { clearPendingFile } from "#app/lib/pending-file.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { useAnonymousUploads, useCurrentUser } from "#app/lib/session.ts";
import { Button } from "#app/ui/button.tsx";
import { limitFor } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";
import { currentUpload, isSending } from "./current-upload.ts";
import { ChooseFolder, DropField, ItemsInput } from "./drop-field.tsx";
import { type DroppedItem, itemsOfFiles, usePasted } from "./dropped-items.ts";
import type { LaterStepsProps } from "./later-steps.tsx";
import { ExpirationSelect, ProtectLink } from "./link-choice-fields.tsx";
import type { LinkChoiceProps } from "./link-choice.ts";
import type { TextDraft } from "./text/text-draft.ts";
import { Waiting } from "./waiting.tsx";

const importLater = () => importWhenOnline(() => import("./load-later-steps.client.ts"));
/** Loads the script of the steps after the choice of files, when the person is about to choose a file. */
const loadLaterSteps = async () => (await importLater()).loadLaterSteps();
const LaterSteps = lazy(loadLaterSteps);
const WriteText = lazy(async () => (await importLater()).loadWriteText());

interface UploadStepsProps extends LaterStepsProps {
  /** Several files or folders can be sent. */
  takesMany: boolean;
  onFile(file: File): void;
  /** @param needsConsent whether the list is shown first, however few files it has */
  onMany(items: DroppedItem[], needsConsent?: boolean): void;
  onPrepare(): void;
  notice?: ReactNode;
  footnote?: ReactNode;
}

export function UploadSteps({ notice, footnote, takesMany, onFile, onMany, onPrepare, ...later }: UploadStepsProps) {
  const { upload, fileToConfirm } = later;
  const t = useMessages("uploads");
  const [written, setWritten] = useState<TextDraft | null>(null);
  const isChoosing = upload.mode === "idle" && !fileToConfirm;
  const choice = useFocusOnReturn(isChoosing && written === null);
  // The text has become a file.
  if (upload.mode !== "idle" && written !== null) setWritten(null);
  const takeFile = (file: File) => {
    clearPendingFile();
    onFile(file);
  };
  if (!isChoosing) {
    return (
      <Suspense fallback={<Loading {...later} />}>
        <LaterSteps {...later} />
      </Suspense>
    );
  }
  if (written !== null) {
    return (
      <Suspense fallback={<Waiting text={t("starting")} />}>
        <WriteText
          {...later}
          draft={written}
          onDraft={setWritten}
          onSend={takeFile}
          onAddFiles={(file) => onMany(itemsOfFiles([file]), true)}
          onBack={() => setWritten(null)}
        />
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
        onFile={takeFile}
        onMany={onMany}
        onText={setWritten}
      />
      {footnote}
    </div>
  );
}

/**
 * When the person returns to the choice of files, and the focused button is gone, focuses the first control of the
 * choice.
 * @returns a ref for the element around the choice of files
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

/** Shown until the script of the next step is loaded. Has no button to go back if an upload is already being sent. */
function Loading({ upload, fileToConfirm, onBack }: LaterStepsProps) {
  const t = useMessages("uploads");
  const leave = () => {
    currentUpload.reset();
    onBack();
  };
  const canLeave = fileToConfirm !== null || (upload.mode === "transfer" && !isSending(upload));
  return <Waiting text={t("starting")} onBack={canLeave ? leave : undefined} />;
}

function WriteButton({ onPress, onPrepare }: { onPress(): void; onPrepare(): void }) {
  const t = useMessages("uploads");
  return (
    <Button icon={NotebookPen} look="quiet" onPointerEnter={onPrepare} onFocus={onPrepare} onClick={onPress}>
      {t("writeText")}
    </Button>
  );
}

interface ChooseFileProps extends LinkChoiceProps {
  /** Several files or folders can be sent. */
  takesMany: boolean;
  onFile(file: File): void;
  /** Called with several files, or a folder. */
  onMany(items: DroppedItem[]): void;
  onText(draft: TextDraft): void;
  onPrepare(): void;
}

function ChooseFile({
  takesMany,
  onFile,
  onMany,
  onText,
  onPrepare,
  wording,
  plan,
  choice,
  onChoice,
}: ChooseFileProps) {
  const t = useMessages("uploads");
  const take = (items: DroppedItem[]) => {
    const [first] = items;
    if (items.length > 1 || first?.entry?.isDirectory || first?.file?.webkitRelativePath) onMany(items);
    else if (first?.file) onFile(first.file);
  };
  const write = (text: string) => onText({ text, kind: "text", name: "" });
  usePasted(take, takesMany ? write : undefined);
  const mayUploadWithout = useAnonymousUploads();
  const needsAccount = useCurrentUser() === null && !mayUploadWithout;
  return (
    <div className="grid gap-5">
      <DropField
        title={t("chooseOrDrop")}
        dropTitle={t("letGo")}
        hint={t(needsAccount ? "upToWithAccount" : "upTo", {
          size: formatBytes(limitFor(plan).fileSizeBytes, t.locale),
        })}
        onItems={take}
        onPrepare={onPrepare}
      >
        {takesMany && <span className="text-sm text-balance text-muted">{t("severalToo")}</span>}
        <ItemsInput label={t("chooseFile")} isSingle={!takesMany} onItems={take} onPrepare={onPrepare} />
      </DropField>
      {takesMany && (
        <div className="flex flex-wrap gap-3 *:grow">
          <ChooseFolder look="quiet" label={t("chooseFolder")} onItems={take} onPrepare={onPrepare} />
          <WriteButton onPress={() => write("")} onPrepare={onPrepare} />
        </div>
      )}
      <ExpirationSelect wording={wording} plan={plan} choice={choice} onChoice={onChoice} automaticHours={null} />
      <ProtectLink choice={choice} onChoice={onChoice} />
    </div>
  );
}
