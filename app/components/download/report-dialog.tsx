import { useState } from "react";
import { api } from "#app/api.ts";
import { REPORT_REASON_WORDS } from "#app/report-reasons.ts";
import { failureToast, useForm } from "#app/use-form.ts";
import { REPORT_MESSAGE_MAX_LENGTH, REPORT_REASONS, reportRequest } from "#domain/wire.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, TextArea } from "../ui/field.tsx";

interface ReportDialogProps {
  downloadId: string;
  filename: string;
  onClose(): void;
}

const failed = failureToast("Report not sent", "Your report could not be sent. Please try again.");

/** What is wrong with a file, in a reason and words; it goes to those who keep the service running. */
export default function ReportDialog({ downloadId, filename, onClose }: ReportDialogProps) {
  const [isSent, setIsSent] = useState(false);
  const { errors, busy, onSubmit } = useForm(reportRequest, {
    onError: failed,
    send: async (report) => {
      await api.reportFile(downloadId, report);
      setIsSent(true);
    },
  });
  if (isSent) {
    return (
      <Dialog title="Thank you" description="Your report is with us. We look at each one." onClose={onClose}>
        <Button wide onClick={onClose}>
          Close
        </Button>
      </Dialog>
    );
  }
  return (
    <Dialog title="Report this file" description={`What is wrong with ${filename}?`} onClose={onClose}>
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        <fieldset aria-describedby={errors.reason && "report-reason"}>
          <legend className="mb-1 text-sm font-medium">Reason</legend>
          {REPORT_REASONS.map((reason) => (
            <label key={reason} className="flex min-h-10 items-center gap-3 rounded-lg px-2 has-checked:bg-sunken">
              <input type="radio" name="reason" value={reason} className="size-4 accent-reed" />
              {REPORT_REASON_WORDS[reason]}
            </label>
          ))}
          {errors.reason && (
            <p id="report-reason" className="mt-1 text-sm text-danger">
              {errors.reason}
            </p>
          )}
        </fieldset>
        <TextArea
          label="Message (optional)"
          name="message"
          rows={3}
          maxLength={REPORT_MESSAGE_MAX_LENGTH}
          error={errors.message}
        />
        <Field
          label="Your email (optional)"
          name="email"
          type="email"
          autoComplete="email"
          hint="Only for questions about your report."
          error={errors.email}
        />
        <Button type="submit" disabled={busy}>
          {busy ? "Sending…" : "Send report"}
        </Button>
      </form>
    </Dialog>
  );
}
