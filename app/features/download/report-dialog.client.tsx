import { useContext, useState, useId } from "react";
import * as z from "zod/mini";
import { call } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useForm } from "#app/lib/use-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { FormCheckbox, FormField, FormRadio, FormChoices, FormTextArea } from "#app/ui/form-field.tsx";
import { messageName } from "#domain/field-messages.ts";
import {
  REPORT_MESSAGE_MAX_LENGTH,
  REPORT_REASONS,
  reportRequest,
  type ReportReason,
  type ReportRequest,
} from "#domain/wire.ts";
import { SealedPageContext } from "./sealed/sealed-context.ts";

export interface Reported {
  downloadId: string;
  name: string;
  /** The button's text and the dialog's title. */
  label: string;
  /** The number of the reported file in a transfer; absent if the whole link is reported. */
  entry?: number;
}

interface ReportDialogProps extends Reported {
  onClose(): void;
}

interface NoticeFields {
  reason: ReportReason;
  email: string;
  work?: string | undefined;
  holder?: string | undefined;
  goodFaith?: string | undefined;
}

const MISSING = {
  work: messageName("noticeWorkMissing"),
  holder: messageName("noticeHolderMissing"),
  goodFaith: messageName("noticeFaithMissing"),
};

export default function ReportDialog({ downloadId, name, label, entry, onClose }: ReportDialogProps) {
  const t = useMessages("download");
  const tReason = useMessages("reportReasons");
  const tCommon = useMessages("common");
  const [isSent, setIsSent] = useState(false);
  const sealed = useContext(SealedPageContext);
  const [isKeyShared, setIsKeyShared] = useState(false);
  const [reason, setReason] = useState("");
  const { errors, busy, onSubmit } = useForm(reportForm, {
    onError: errorToast(t("reportFailed"), t("reportFailedHelp")),
    send: async (report) => {
      const { reason: chosen, message, email } = report;
      const shared = sealed && isKeyShared ? { sharedKey: sealed.sharedKey() } : {};
      const place = { entry: sealed && entry !== undefined ? sealed.entryOf(entry) : entry };
      await call("POST /api/files/download/:downloadId/report", {
        params: { downloadId },
        body: { reason: chosen, message, email, ...noticeOf(report), ...place, ...shared },
      });
      setIsSent(true);
    },
  });
  if (isSent) {
    return (
      <Dialog title={t("thankYou")} description={t("reportSent")} onClose={onClose}>
        <Button wide onClick={onClose}>
          {tCommon("close")}
        </Button>
      </Dialog>
    );
  }
  return (
    <Dialog title={label} description={t("reportQuestion", { filename: name })} onClose={onClose}>
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        <FormChoices legend={t("reason")} error={errors.reason}>
          {REPORT_REASONS.map((each) => (
            <FormRadio key={each} name="reason" value={each} onChange={() => setReason(each)}>
              {tReason(each)}
            </FormRadio>
          ))}
        </FormChoices>
        {reason === "copyright" && (
          <>
            <FormField label={t("noticeWork")} name="work" error={errors.work} />
            <FormField label={t("noticeHolder")} name="holder" error={errors.holder} />
            <FormChoices legend={t("noticeFaithLegend")} isLegendHidden error={errors.goodFaith}>
              <FormCheckbox name="goodFaith">{t("noticeFaith")}</FormCheckbox>
            </FormChoices>
          </>
        )}
        {reason === "child-abuse" && <p className="text-sm text-muted">{t("childAbuseHint")}</p>}
        <FormTextArea
          label={t("reportMessage")}
          name="message"
          rows={3}
          maxLength={REPORT_MESSAGE_MAX_LENGTH}
          error={errors.message}
        />
        <FormField
          label={t(reason === "copyright" ? "reporterEmailNeeded" : "reporterEmail")}
          name="email"
          type="email"
          autoComplete="email"
          hint={t("reporterEmailHint")}
          error={errors.email}
        />
        {sealed && <ShareKeyBox isShared={isKeyShared} onChange={setIsKeyShared} />}
        <Button type="submit" busy={busy}>
          {t(busy ? "sending" : "sendReport")}
        </Button>
      </form>
    </Dialog>
  );
}

/** The fields of the form. Those of a copyright notice are shown, and needed, for that reason alone. */
const reportForm = z
  .extend(reportRequest, {
    work: z.optional(z.string().check(z.trim())),
    holder: z.optional(z.string().check(z.trim())),
    goodFaith: z.optional(z.string()),
  })
  .check(
    ...(["work", "holder", "goodFaith"] as const).map((name) =>
      z.refine<NoticeFields>((report) => report.reason !== "copyright" || (report[name] ?? "") !== "", {
        message: MISSING[name],
        path: [name],
      }),
    ),
    z.refine<NoticeFields>(({ reason, email }) => reason !== "copyright" || email !== "", {
      message: messageName("emailWrong"),
      path: ["email"],
    }),
  );

function noticeOf({ reason, work = "", holder = "" }: NoticeFields): Pick<ReportRequest, "notice"> {
  return reason === "copyright" ? { notice: { work, holder, goodFaith: true } } : {};
}

/** A checkbox: whether the moderators get the sealed link's key with the report. */
function ShareKeyBox({ isShared, onChange }: { isShared: boolean; onChange(isShared: boolean): void }) {
  const t = useMessages("sealedLinks");
  const id = useId();
  return (
    <div className="grid gap-1">
      <label className="flex min-h-11 cursor-pointer items-center gap-3 text-sm font-medium">
        <input
          type="checkbox"
          className="size-4.5 shrink-0 accent-reed"
          checked={isShared}
          aria-describedby={id}
          onChange={(event) => onChange(event.target.checked)}
        />
        {t("shareKey")}
      </label>
      <p id={id} className="text-sm text-muted">
        {t("shareKeyHint")}
      </p>
    </div>
  );
}
