import { adminApi } from "#app/admin/api.ts";
import { refusalToast } from "#app/admin/refusal.ts";
import { useMessages } from "#app/messages/messages.ts";
import type { AdminFile, FileReport } from "#domain/wire.ts";
import { toast } from "../ui/toast.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { TakeDown } from "./take-down.tsx";

interface ReportDialogProps {
  report: FileReport;
  onClose(): void;
}

/** Settles a report, and the file stays. */
export function DismissReport({ report, onClose }: ReportDialogProps) {
  const say = useMessages("officeRecords");
  const office = useMessages("office");
  return (
    <ConfirmDialog
      title={say("dismissQuestion")}
      description={report.file ? say("dismissHelp", { filename: report.file.filename }) : say("dismissGoneHelp")}
      action={say("dismiss")}
      acting={office("saving")}
      isLoss={false}
      run={() => adminApi.settleReport(report.id, { outcome: "dismissed", note: "" })}
      onDone={() => {
        toast({ title: say("reportDismissed") });
      }}
      onError={refusalToast(office("updateFailed"), say("dismissFailed"))}
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
