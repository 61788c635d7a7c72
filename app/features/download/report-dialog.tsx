import { useState } from "react";
import { api } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { failureToast, useForm } from "#app/lib/use-form.ts";
import { REPORT_MESSAGE_MAX_LENGTH, REPORT_REASONS, reportRequest } from "#domain/wire.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Field, TextArea } from "#app/ui/field.tsx";

interface ReportDialogProps {
  downloadId: string;
  filename: string;
  onClose(): void;
}

/** What is wrong with a file, in a reason and words; it goes to those who keep the service running. */
export default function ReportDialog({ downloadId, filename, onClose }: ReportDialogProps) {
  const t = useMessages("download");
  const sayReason = useMessages("reportReasons");
  const sayCommon = useMessages("common");
  const [isSent, setIsSent] = useState(false);
  const { errors, busy, onSubmit } = useForm(reportRequest, {
    onError: failureToast(t("reportFailed"), t("reportFailedHelp")),
    send: async (report) => {
      await api.reportFile(downloadId, report);
      setIsSent(true);
    },
  });
  if (isSent) {
    return (
      <Dialog title={t("thankYou")} description={t("reportSent")} onClose={onClose}>
        <Button wide onClick={onClose}>
          {sayCommon("close")}
        </Button>
      </Dialog>
    );
  }
  return (
    <Dialog title={t("reportFile")} description={t("reportQuestion", { filename })} onClose={onClose}>
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        <fieldset aria-describedby={errors.reason && "report-reason"}>
          <legend className="mb-1 text-sm font-medium">{t("reason")}</legend>
          {REPORT_REASONS.map((reason) => (
            <label key={reason} className="flex min-h-10 items-center gap-3 rounded-lg px-2 has-checked:bg-sunken">
              <input type="radio" name="reason" value={reason} className="size-4 accent-reed" />
              {sayReason(reason)}
            </label>
          ))}
          {errors.reason && (
            <p id="report-reason" className="mt-1 text-sm text-danger">
              {errors.reason}
            </p>
          )}
        </fieldset>
        <TextArea
          label={t("reportMessage")}
          name="message"
          rows={3}
          maxLength={REPORT_MESSAGE_MAX_LENGTH}
          error={errors.message}
        />
        <Field
          label={t("reporterEmail")}
          name="email"
          type="email"
          autoComplete="email"
          hint={t("reporterEmailHint")}
          error={errors.email}
        />
        <Button type="submit" disabled={busy}>
          {t(busy ? "sending" : "sendReport")}
        </Button>
      </form>
    </Dialog>
  );
}
