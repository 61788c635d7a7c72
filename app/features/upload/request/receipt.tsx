import { CircleCheck, FileDown } from "lucide-react";
import { useEffect, useState } from "react";
import { useServerAhead } from "#app/lib/clock.ts";
import { handOver } from "#app/lib/hand-over.ts";
import { useMoment } from "#app/lib/i18n/formats.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { formatBytes } from "#domain/units.ts";
import type { ListedEntry } from "#domain/wire.ts";
import { ChoiceNoticeList } from "../transfer/choice-notices.tsx";
import { StepHeading } from "../transfer/step-heading.tsx";
import type { DoneView } from "../transfer/transfer-view.ts";
import type { RequestUpload } from "./sending.client.ts";

/** The most files that the receipt lists on the page. The receipt that the sender can save lists all files. */
const MAX_SHOWN = 50;

interface ReceiptProps {
  sending: RequestUpload;
  view: DoneView;
  /** The address to which a receipt is mailed; "" for none. */
  email: string;
  onAgain(): void;
}

/**
 * Shows which files have arrived, and when. The receipt has no link, because the files belong to the owner of the
 * request.
 */
export function Receipt({ sending, view, email, onAgain }: ReceiptProps) {
  const { result, words, notices } = view;
  const t = useMessages("requestPage");
  const writeMoment = useMoment();
  const aheadMs = useServerAhead();
  const [arrivedAt] = useState(() => new Date(Date.now() + aheadMs).toISOString());
  const entries = useArrived(sending, result.downloadId);
  const size = formatBytes(result.size, t.locale);
  const summary = t("arrivedHelp", { count: result.entries, size, date: writeMoment(arrivedAt) });
  const save = (listed: readonly ListedEntry[]) => {
    const name = t("receiptName", { title: words.title });
    const text = writeReceipt({ title: name, summary, entries: listed });
    handOver(new Blob([text], { type: "text/plain;charset=utf-8" }), `${name.replaceAll(/[/\\]/g, "-")}.txt`);
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div className="flex items-start gap-3">
        <CircleCheck size={28} aria-hidden className="mt-0.5 shrink-0 text-reed" />
        <div className="min-w-0">
          <StepHeading className="text-lg">{t("arrived")}</StepHeading>
          <p className="text-sm text-muted">{summary}</p>
          {email.trim() !== "" && <p className="mt-1 text-sm break-words">{t("mailed", { email: email.trim() })}</p>}
        </div>
      </div>
      <ChoiceNoticeList notices={notices} isFinished />
      <section aria-label={t("receipt")} className="grid gap-3">
        <h3 className="font-medium">{t("receipt")}</h3>
        {entries === "failed" && <p role="alert">{t("receiptFailed")}</p>}
        {entries === null && (
          <p role="status" className="text-sm text-muted">
            {t("loadingReceipt")}
          </p>
        )}
        {Array.isArray(entries) && (
          <>
            <p className="text-sm text-muted">{t("receiptHelp")}</p>
            <ul className="divide-y divide-line rounded-2xl border border-line">
              {entries.slice(0, MAX_SHOWN).map((entry) => (
                <ReceiptLine key={entry.n} entry={entry} />
              ))}
            </ul>
            {entries.length > MAX_SHOWN && (
              <p className="text-sm text-muted">{t("more", { count: entries.length - MAX_SHOWN })}</p>
            )}
            <Button icon={FileDown} look="quiet" onClick={() => save(entries)}>
              {t("saveReceipt")}
            </Button>
          </>
        )}
      </section>
      <Button onClick={onAgain}>{t("sendMore")}</Button>
    </div>
  );
}

function ReceiptLine({ entry: { path, size, sha256 } }: { entry: ListedEntry }) {
  const t = useMessages("requestPage");
  return (
    <li className="px-4 py-3 text-sm">
      <p className="flex justify-between gap-4">
        <span className="min-w-0 font-medium break-words">{path}</span>
        {!path.endsWith("/") && <span className="shrink-0 text-muted">{formatBytes(size, t.locale)}</span>}
      </p>
      {!path.endsWith("/") && (
        <p className="mt-1 font-mono text-xs break-all text-muted">{sha256 ?? t("noChecksum")}</p>
      )}
    </li>
  );
}

/** @returns null while it is loading */
function useArrived(sending: RequestUpload, downloadId: string): ListedEntry[] | "failed" | null {
  const [entries, setEntries] = useState<ListedEntry[] | "failed" | null>(null);
  useEffect(() => {
    let isShown = true;
    void sending
      .listArrived(downloadId)
      .catch(() => "failed" as const)
      .then((listed) => {
        if (isShown) setEntries(listed);
      });
    return () => {
      isShown = false;
    };
  }, [sending, downloadId]);
  return entries;
}

interface ReceiptText {
  title: string;
  /** The number and size of the files, and the time. */
  summary: string;
  entries: readonly Pick<ListedEntry, "path" | "size" | "sha256">[];
}

/** A receipt as plain text. The lines about files have the format of `sha256sum`, so `sha256sum --check` reads them. */
export function writeReceipt({ title, summary, entries }: ReceiptText): string {
  const lines = entries
    .filter(({ path }) => !path.endsWith("/"))
    .map(({ path, sha256 }) => (sha256 === undefined ? `# ${path}` : `${sha256}  ${path}`));
  return [`# ${title}`, `# ${summary}`, "", ...lines, ""].join("\n");
}
