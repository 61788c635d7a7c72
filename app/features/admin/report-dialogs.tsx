import { adminApi } from "#app/features/admin/admin-api.ts";
import { adminErrorToast } from "#app/features/admin/admin-errors.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { AdminFile, FileReport } from "#domain/wire.ts";
import { toast } from "#app/ui/toast.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
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
      description={report.file ? t("dismissHelp", { filename: report.file.filename }) : t("dismissGoneHelp")}
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

export function TakeDownReported({ report, file, onClose }: ReportDialogProps & { file: AdminFile }) {
  return (
    <TakeDown
      file={file}
      takeDown={(note) => adminApi.settleReport(report.id, { outcome: "taken-down", note })}
      onClose={onClose}
    />
  );
}
