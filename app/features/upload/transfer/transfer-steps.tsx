import { Link } from "@remix-run/react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { formatBytes } from "#domain/units.ts";
import type { UnfinishedUpload } from "#domain/wire.ts";
import { currentUpload } from "../current-upload.ts";
import type { ExpirationProps } from "../expiration-choice.ts";
import { Sent } from "../sent.tsx";
import type { CurrentTransfer } from "./current-transfer.ts";
import { TransferFailed } from "./transfer-failed.tsx";
import { TransferListStep } from "./transfer-list-step.tsx";
import { TransferSending } from "./transfer-sending.tsx";
import type { DoneView, TransferView } from "./transfer-view.ts";
import { useComeIntoView } from "./use-come-into-view.ts";

interface TransferStepsProps extends ExpirationProps {
  /** Null until its script is loaded. */
  transfer: CurrentTransfer | null;
  view: TransferView | null;
}

/** The upload card's steps for several files and folders. */
export function TransferSteps(props: TransferStepsProps) {
  const t = useMessages("transferUpload");
  return (
    <>
      <p role="status" className="sr-only">
        {props.view && announcement(props.view, t)}
      </p>
      <Step {...props} />
    </>
  );
}

function Step({ transfer, view, ...expiration }: TransferStepsProps) {
  const t = useMessages("transferUpload");
  const { wording } = expiration;
  if (transfer === null || view === null || view.phase === "reading") {
    return <p className="py-12 text-center text-muted">{t("reading")}</p>;
  }
  switch (view.phase) {
    case "list":
      return <TransferListStep transfer={transfer} view={view} {...expiration} />;
    case "sending":
      return <TransferSending transfer={transfer} view={view} wording={wording} />;
    case "failed":
      return <TransferFailed transfer={transfer} view={view} />;
    case "other-files":
      return <OtherFiles upload={view.unfinished} />;
    case "done":
      return <TransferSent view={view} wording={wording} />;
  }
}

function TransferSent({ view, wording }: { view: DoneView } & Pick<ExpirationProps, "wording">) {
  const t = useMessages("transferUpload");
  const { result, words } = view;
  const size = formatBytes(result.size, t.locale);
  const step = useComeIntoView<HTMLDivElement>();
  return (
    <div ref={step} tabIndex={-1} className="scroll-mt-24 outline-none">
      <Sent
        result={{ ...result, filename: words.title }}
        details={t("filesOf", { count: result.entries, size })}
        wording={wording}
      />
    </div>
  );
}

/** Nothing of what was chosen belongs to the unfinished transfer. */
function OtherFiles({ upload }: { upload: UnfinishedUpload }) {
  const t = useMessages("transferUpload");
  const values = { title: upload.filename, count: upload.entries ?? 0, size: formatBytes(upload.size, t.locale) };
  return (
    <div role="alert" className="grid gap-4 rounded-2xl border border-danger bg-sunken p-4">
      <h2 className="font-medium">{t("otherFiles")}</h2>
      <p className="text-sm break-words">{t("otherFilesHelp", values)}</p>
      <Link
        to="/dashboard"
        className={buttonClass("quiet")}
        onClick={() => {
          currentUpload.reset();
        }}
      >
        {t("chooseAgain")}
      </Link>
    </div>
  );
}

/** What a screen reader hears: it changes with each tenth of the progress. */
function announcement(view: TransferView, t: ReturnType<typeof useMessages<"transferUpload">>): string {
  if (view.phase === "done") return t("saysReady");
  if (view.phase === "failed") return t("saysFailed");
  if (view.phase !== "sending" || view.link === null) return "";
  if (view.problems.length > 0) return t("saysProblems", { count: view.problems.length });
  const tenths = Math.floor(view.progress.percent / 10);
  return tenths === 0 ? t("saysStarted") : t("saysPercent", { percent: 10 * tenths });
}
