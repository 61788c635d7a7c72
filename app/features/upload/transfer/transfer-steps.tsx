import { Link } from "@remix-run/react";
import { useRef, useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useCurrentUser } from "#app/lib/session.ts";
import { buttonClass, Button } from "#app/ui/button.tsx";
import { FocusAfter } from "#app/ui/dialog.tsx";
import { formatBytes } from "#domain/units.ts";
import type { UnfinishedUpload } from "#domain/wire.ts";
import { currentUpload } from "../current-upload.ts";
import { DiscardButton } from "../discard-button.tsx";
import type { LinkChoiceProps } from "../link-choice.ts";
import { ProtectionSummary } from "../protection-summary.tsx";
import { SentCard } from "../sent.tsx";
import { TileStrip } from "../tile-strip.tsx";
import { isPlanLimit, messageFor } from "../upload-error-messages.ts";
import { ChoiceNoticeList } from "./choice-notices.tsx";
import type { CurrentTransfer } from "./current-transfer.ts";
import { EditWords, WordsFailed } from "./edit-words.tsx";
import { SeePlans } from "./list-notices.tsx";
import { Announcement } from "./sending-step.tsx";
import { StepHeading, useComeIntoView } from "./step-heading.tsx";
import { isAbout, TransferDialogs, type CardDialog } from "./transfer-dialogs.tsx";
import { Reading, TransferListStep } from "./transfer-list-step.tsx";
import { TransferSending } from "./transfer-sending.tsx";
import type { DoneView, TransferView, FailedView } from "./transfer-view.ts";
import { useAskToSignIn } from "./use-send.ts";

interface TransferStepsProps extends LinkChoiceProps {
  /** Null until the script of `CurrentTransfer` is loaded. */
  transfer: CurrentTransfer | null;
  view: TransferView | null;
}

/** The upload card's steps for several files and folders. */
export default function TransferSteps(props: TransferStepsProps) {
  const t = useMessages("transferUpload");
  const { transfer, view } = props;
  const [dialog, setDialog] = useState<CardDialog | null>(null);
  if (dialog && !isAbout(dialog, view)) setDialog(null);
  const step = useRef<HTMLDivElement>(null);
  const close = () => setDialog(null);
  // The button that opened a dialog may be gone.
  const focusAfter = () => step.current?.querySelector<HTMLElement>("[tabindex='-1']") ?? null;
  return (
    <div ref={step}>
      <Announcement view={view} done={t("saysReady")} />
      <Step {...props} onOpen={setDialog} />
      {transfer && view && dialog && (
        <FocusAfter.Provider value={focusAfter}>
          <TransferDialogs transfer={transfer} view={view} dialog={dialog} onClose={close} />
        </FocusAfter.Provider>
      )}
    </div>
  );
}

function Step({ transfer, view, onOpen, ...expiration }: TransferStepsProps & Opens) {
  const { wording } = expiration;
  if (transfer === null || view === null || view.phase === "reading") return <Reading />;
  switch (view.phase) {
    case "list":
      return <TransferListStep transfer={transfer} view={view} {...expiration} />;
    case "sending":
      return <TransferSending transfer={transfer} view={view} wording={wording} onOpen={onOpen} />;
    case "failed":
      return <TransferFailed transfer={transfer} view={view} />;
    case "other-files":
      return <OtherFiles upload={view.unfinished} />;
    case "done":
      return <TransferSent transfer={transfer} view={view} wording={wording} onOpen={onOpen} />;
  }
}

interface Opens {
  onOpen(dialog: CardDialog): void;
}

interface TransferSentProps extends Opens, Pick<LinkChoiceProps, "wording"> {
  transfer: CurrentTransfer;
  view: DoneView;
}

/** How many pictures fit beside each other on a phone. */
const SHOWN_TILES = 5;

function TransferSent({ transfer, view, wording, onOpen }: TransferSentProps) {
  const t = useMessages("transferUpload");
  const tUploads = useMessages("uploads");
  const { result, words } = view;
  const size = formatBytes(result.size, t.locale);
  const step = useComeIntoView<HTMLDivElement>();
  return (
    <div ref={step} tabIndex={-1} className="scroll-mt-24 outline-none">
      <SentCard
        result={{ ...result, filename: words.title, ...(view.link && { shareUrl: view.link.shareUrl }) }}
        details={t("filesOf", { count: result.entries, size })}
        wording={wording}
        again={result.entries === 1 ? tUploads("uploadAnother") : t("sendMore")}
        onShare={(kind) => onOpen({ kind })}
        protection={view.link && <ProtectionSummary known={view.link} onOpen={() => onOpen({ kind: "guards" })} />}
        action={<EditWords onOpen={() => onOpen({ kind: "words" })} />}
      >
        <TileStrip urls={transfer.tiles.first(SHOWN_TILES)} />
        {words.message !== "" && (
          <p className="line-clamp-3 text-sm break-words whitespace-pre-line text-muted">{words.message}</p>
        )}
        {view.wordsFailed && <WordsFailed />}
        <ChoiceNoticeList notices={view.notices} isFinished />
      </SentCard>
    </div>
  );
}

/** Says that none of the chosen files belongs to the unfinished transfer. */
function OtherFiles({ upload }: { upload: UnfinishedUpload }) {
  const t = useMessages("transferUpload");
  const values = { title: upload.filename, count: upload.entries ?? 0, size: formatBytes(upload.size, t.locale) };
  return (
    <div role="alert" className="grid gap-4 rounded-2xl border border-danger bg-sunken p-4">
      <h2 className="font-medium">{t("otherFiles")}</h2>
      <p className="text-sm break-words">{t("otherFilesHelp", values)}</p>
      <Link to="/dashboard" className={buttonClass("quiet")} onClick={() => currentUpload.reset()}>
        {t("chooseAgain")}
      </Link>
    </div>
  );
}

/** Says what the server keeps after a failure, and offers to resume. */
function TransferFailed({ transfer, view }: { transfer: CurrentTransfer; view: FailedView }) {
  const { words, error, stored, count } = view;
  const t = useMessages("transferUpload");
  const tUploads = useMessages("uploads");
  const isSignedIn = useCurrentUser() !== null;
  useAskToSignIn(error, () => void transfer.retry());
  return (
    <div className="grid gap-4 rounded-2xl border border-danger bg-sunken p-4">
      <StepHeading className="break-words">{t("failedTitle", { title: words.title })}</StepHeading>
      <p className="text-sm">
        {messageFor(error, tUploads, tUploads("transferError"))} {isPlanLimit(error) && <SeePlans />}
      </p>
      {stored !== null && (
        <p className="text-sm">
          {t("kept", { stored, count })} {isSignedIn && t("goOnLater")}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => void transfer.retry()}>{t("tryAgain")}</Button>
        {(stored === null || isSignedIn) && (
          <Button look="quiet" onClick={() => currentUpload.reset()}>
            {tUploads("back")}
          </Button>
        )}
        {stored !== null && (
          <DiscardButton group="transferUpload" title={words.title} onDiscard={() => currentUpload.cancel()} />
        )}
      </div>
    </div>
  );
}
