import { useState } from "react";
import { adminApi } from "#app/features/admin/admin-api.ts";
import { adminErrorToast } from "#app/features/admin/admin-errors.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { AdminFile, FileReport } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import { FormRadio, FormChoices } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { nameOf } from "./file-name.tsx";
import { TakeDown } from "./take-down.tsx";

interface ReportDialogProps {
  report: FileReport;
  onClose(): void;
}

export function DismissReport({ report, onClose }: ReportDialogProps) {
  const t = useMessages("adminRecords");
  const tAdmin = useMessages("admin");
  return (
    <ConfirmDialog
      title={t("dismissQuestion")}
      description={report.file ? t("dismissHelp", { filename: nameOf(report.file, tAdmin) }) : t("dismissGoneHelp")}
      action={t("dismiss")}
      pendingLabel={tAdmin("saving")}
      isDestructive={false}
      run={() => adminApi.settleReport(report.id, { outcome: "dismissed", note: "" })}
      onSuccess={() => {
        toast({ title: t("reportDismissed") });
      }}
      onError={adminErrorToast(tAdmin("updateFailed"), t("dismissFailed"))}
      onClose={onClose}
    />
  );
}

/** A report of one file of a transfer lets the administrator choose between that file and all of them. */
export function TakeDownReported({ report, file, onClose }: ReportDialogProps & { file: AdminFile }) {
  const t = useMessages("adminRecords");
  const [whole, setWhole] = useState(report.entry === null);
  const path = report.entry === null ? undefined : reportedPath(report, report.entry, t);
  return (
    <TakeDown
      file={file}
      path={whole ? undefined : path}
      takeDown={(note) => adminApi.settleReport(report.id, { outcome: "taken-down", note, whole })}
      onClose={onClose}
    >
      {path !== undefined && (
        <FormChoices legend={t("takeDownWhat")}>
          {[false, true].map((isWhole) => (
            <FormRadio
              key={String(isWhole)}
              name="whole"
              checked={whole === isWhole}
              onChange={() => {
                setWhole(isWhole);
              }}
            >
              <span className="min-w-0 break-words">{isWhole ? t("wholeTransfer") : t("onlyReported", { path })}</span>
            </FormRadio>
          ))}
        </FormChoices>
      )}
    </TakeDown>
  );
}

/** What a report calls the reported file of a transfer. */
export function reportedPath({ path }: FileReport, entry: number, t: Translate<"adminRecords">): string {
  return path ?? t("unknownEntry", { n: entry + 1 });
}
