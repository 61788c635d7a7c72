import type { ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Card } from "#app/ui/card.tsx";
import { Moment } from "#app/ui/moments.tsx";
import { formatBytes } from "#domain/units.ts";
import type { ListedFile } from "#domain/wire.ts";
import type { FileAction } from "../file-dialog.tsx";
import { LabelLinks } from "../labels.tsx";
import { FileProtection } from "../shown-file.tsx";

interface FileFactsProps {
  file: ListedFile;
  /** Whether other people can open the file by a link. */
  hasLink: boolean;
  onChoose(action: FileAction): void;
}

export function FileFacts({ file, hasLink, onChoose }: FileFactsProps) {
  const t = useMessages("ownFile");
  const tFiles = useMessages("files");
  const { size, entries, uploadedAt, expiresAt, isExpired, downloadCount, guards } = file;
  const changes = (action: FileAction, what: string) =>
    isExpired || !hasLink
      ? null
      : {
          label: t("changeNamed", { what }),
          onClick: () => onChoose(action),
        };
  return (
    <Card>
      <h2 className="mb-2 text-lg font-medium">{t("facts")}</h2>
      <dl className="divide-y divide-line">
        {entries !== undefined && <Fact name={t("files")}>{tFiles("fileCount", { count: entries })}</Fact>}
        <Fact name={t("size")}>{formatBytes(size, t.locale)}</Fact>
        <Fact name={t("uploaded")}>
          <Moment at={uploadedAt} />
        </Fact>
        <Fact name={t(isExpired ? "expiredAt" : "expires")} change={changes("expiry", t("expires"))}>
          {expiresAt === null ? t("never") : <Moment at={expiresAt} />}
        </Fact>
        <Fact name={t("downloads")}>{downloadCount.toLocaleString(t.locale)}</Fact>
        {hasLink && (
          <Fact name={t("protection")} change={changes("guards", t("protection"))}>
            {guards ? <FileProtection file={file} guards={guards} /> : t("noProtection")}
          </Fact>
        )}
        {file.labels && (
          <Fact name={tFiles("labels")} change={changes("labels", tFiles("labels"))}>
            <LabelLinks labels={file.labels} />
          </Fact>
        )}
        {file.message !== undefined && file.message !== null && (
          <Fact name={t("message")} change={changes("edit", t("message"))}>
            <span dir="auto" className="break-words whitespace-pre-wrap">
              {file.message}
            </span>
          </Fact>
        )}
      </dl>
    </Card>
  );
}

interface FactProps {
  name: string;
  /** A button that changes the fact. `label` is read by screen readers. */
  change?: { label: string; onClick(): void } | null;
  children: ReactNode;
}

function Fact({ name, change, children }: FactProps) {
  const t = useMessages("ownFile");
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 py-2.5">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="col-start-1 break-words">{children}</dd>
      {change && (
        <dd className="col-start-2 row-span-2 row-start-1">
          <button
            type="button"
            aria-label={change.label}
            className="min-h-11 cursor-pointer rounded-lg px-2 text-sm font-medium text-reed underline"
            onClick={change.onClick}
          >
            {t("change")}
          </button>
        </dd>
      )}
    </div>
  );
}
