import { TriangleAlert } from "lucide-react";
import { useRef } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { nameOf } from "#app/ui/entries/entry-folders.ts";
import { FileInput } from "#app/ui/file-input.tsx";
import { toast } from "#app/ui/toast.ts";
import { useKeptFocus } from "#app/ui/use-kept-focus.ts";
import { messageFor } from "../upload-error-messages.ts";
import type { CurrentTransfer } from "./current-transfer.ts";
import type { TransferProblem } from "./transfer-view.ts";

/**
 * The most problems that are shown at once. When a shown problem is solved, the next one appears; two buttons are for
 * all problems at once.
 */
const MAX_SHOWN = 5;

interface SendingProblemsProps {
  transfer: CurrentTransfer;
  problems: readonly TransferProblem[];
}

/**
 * Shows the files that were not sent. The person must send each of these files again, or leave it out, before the
 * transfer can finish.
 */
export function SendingProblems({ transfer, problems }: SendingProblemsProps) {
  const t = useMessages("transferUpload");
  const more = problems.length - MAX_SHOWN;
  const reloadable = problems.filter(({ canReload }) => canReload);
  const leaveOut = useLeaveOut(transfer);
  const keptFocus = useKeptFocus<HTMLDivElement>();
  if (problems.length === 0) return <div ref={keptFocus} className="contents" />;
  return (
    <div ref={keptFocus} className="contents">
      <section className="grid gap-3 rounded-2xl border border-amber bg-sunken p-4 text-sm">
        <h3 className="flex items-center gap-2 font-medium">
          <TriangleAlert size={18} aria-hidden className="shrink-0 text-amber-ink" />
          {t("saysProblems", { count: problems.length })}
        </h3>
        <p className="text-muted">{t("problemsHelp", { count: problems.length })}</p>
        <ul className="grid gap-4">
          {problems.slice(0, MAX_SHOWN).map((problem) => (
            <Problem key={problem.n} transfer={transfer} problem={problem} />
          ))}
          {more > 0 && <li className="text-muted">{t("andMore", { count: more })}</li>}
        </ul>
        {reloadable.length < problems.length && <p className="text-muted">{t("dropAgain")}</p>}
        {problems.length > 1 && (
          <div className="flex flex-wrap gap-2 border-t border-line pt-3">
            {reloadable.length > 0 && (
              <Button
                onClick={() => {
                  for (const { n } of reloadable) transfer.retryEntry(n);
                }}
              >
                {t("tryAllAgain")}
              </Button>
            )}
            <Button look="quiet" onClick={() => leaveOut(problems.map(({ n }) => n))}>
              {t("leaveAllOut")}
            </Button>
          </div>
        )}
      </section>
    </div>
  );
}

function Problem({ transfer, problem }: { transfer: CurrentTransfer; problem: TransferProblem }) {
  const { n, path, state, reason, canReload } = problem;
  const t = useMessages("transferUpload");
  const tUploads = useMessages("uploads");
  const standard = t(state === "changed" ? "changedReason" : "unreadableReason");
  const picker = useRef<HTMLInputElement>(null);
  const leaveOut = useLeaveOut(transfer);
  const name = nameOf(path);
  return (
    <li className="grid gap-2">
      <p className="break-words">
        <span className="font-medium">{path}</span>
        <span className="block text-amber-ink">{reason ? messageFor(reason, tUploads, standard) : standard}</span>
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          look="quiet"
          aria-label={t(canReload ? "tryAgainFile" : "chooseAgainFile", { name })}
          onClick={() => {
            if (canReload) transfer.retryEntry(n);
            else picker.current?.click();
          }}
        >
          {t(canReload ? "tryAgain" : "chooseAgain")}
        </Button>
        <Button look="quiet" aria-label={t("leaveOutFile", { name })} onClick={() => leaveOut([n])}>
          {t("leaveOut")}
        </Button>
        <FileInput
          ref={picker}
          hidden
          label={t("chooseFileAgain", { name })}
          onFiles={([file]) => {
            if (file && !transfer.retryEntry(n, file))
              toast({ title: t("otherFile"), description: t("otherFileHelp", { name }), tone: "bad" });
          }}
        />
      </div>
    </li>
  );
}

/** Removes entries from the transfer, unless no entry would be left. */
export function useLeaveOut(transfer: CurrentTransfer): (numbers: readonly number[]) => void {
  const t = useMessages("transferUpload");
  return (numbers) => {
    if (!transfer.remove(numbers)) toast({ title: t("lastFile"), tone: "bad" });
  };
}
