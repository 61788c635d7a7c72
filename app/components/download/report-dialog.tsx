import { useState } from "react";
import { api } from "#app/api.ts";
import { useMessages } from "#app/messages/messages.ts";
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

/** What is wrong with a file, in a reason and words; it goes to those who keep the service running. */
export default function ReportDialog({ downloadId, filename, onClose }: ReportDialogProps) {
  const say = useMessages("download");
  const sayReason = useMessages("reportReasons");
  const sayCommon = useMessages("common");
  const [isSent, setIsSent] = useState(false);
  const { errors, busy, onSubmit } = useForm(reportRequest, {
    onError: failureToast(say("reportFailed"), say("reportFailedHelp")),
    send: async (report) => {
      await api.reportFile(downloadId, report);
      setIsSent(true);
    },
  });
  if (isSent) {
    return (
      <Dialog title={say("thankYou")} description={say("reportSent")} onClose={onClose}>
        <Button wide onClick={onClose}>
          {sayCommon("close")}
        </Button>
      </Dialog>
    );
  }
  return (
    <Dialog title={say("reportFile")} description={say("reportQuestion", { filename })} onClose={onClose}>
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        <fieldset aria-describedby={errors.reason && "report-reason"}>
          <legend className="mb-1 text-sm font-medium">{say("reason")}</legend>
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
          label={say("reportMessage")}
          name="message"
          rows={3}
          maxLength={REPORT_MESSAGE_MAX_LENGTH}
          error={errors.message}
        />
        <Field
          label={say("reporterEmail")}
          name="email"
          type="email"
          autoComplete="email"
          hint={say("reporterEmailHint")}
          error={errors.email}
        />
        <Button type="submit" disabled={busy}>
          {say(busy ? "sending" : "sendReport")}
        </Button>
      </form>
    </Dialog>
  );
}
