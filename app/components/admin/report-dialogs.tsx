import { adminApi } from "#app/admin/api.ts";
import { refusalToast } from "#app/admin/refusal.ts";
import type { AdminFile, FileReport } from "#domain/wire.ts";
import { toast } from "../ui/toast.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { TakeDown } from "./take-down.tsx";

interface ReportDialogProps {
  report: FileReport;
  onClose(): void;
}

const dismissFailed = refusalToast("Update failed", "There was a problem dismissing the report");

/** Settles a report, and the file stays. */
export function DismissReport({ report, onClose }: ReportDialogProps) {
  return (
    <ConfirmDialog
      title="Dismiss this report?"
      description={`${report.file ? `${report.file.filename} stays` : "Nothing changes"}. The report is kept among the settled ones.`}
      action="Dismiss"
      acting="Saving…"
      run={() => adminApi.settleReport(report.id, { outcome: "dismissed", note: "" })}
      onDone={() => {
        toast({ title: "Report dismissed" });
      }}
      onError={dismissFailed}
      onClose={onClose}
    />
  );
}

/** Settles a report by taking its file down. */
export function TakeDownReported({ report, file, onClose }: ReportDialogProps & { file: AdminFile }) {
  return (
    <TakeDown
      file={file}
      takeDown={(note) => adminApi.settleReport(report.id, { outcome: "taken-down", note })}
      onClose={onClose}
    />
  );
}
