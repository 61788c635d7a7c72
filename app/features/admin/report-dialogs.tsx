import { useRevalidator } from "@remix-run/react";
import { useState } from "react";
import { call } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { ActionQuestion } from "#app/ui/action-question.tsx";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { FormRadio, FormChoices } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";
import type { AdminFile, FileReport, RevealedKey } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import { adminErrorToast, useAdminErrorHandler } from "./admin-changes.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { nameOf } from "./file-cells.tsx";
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
      text={report.file ? t("dismissHelp", { filename: nameOf(report.file, tAdmin) }) : t("dismissGoneHelp")}
      yes={t("dismiss")}
      pending={tAdmin("saving")}
      look="primary"
      run={() =>
        call("PUT /api/admin/reports/:id", { params: { id: report.id }, body: { outcome: "dismissed", note: "" } })
      }
      onSuccess={() => toast({ title: t("reportDismissed") })}
      onError={adminErrorToast(tAdmin("updateFailed"), t("dismissFailed"))}
      onClose={onClose}
    />
  );
}

/** Takes down a reported link, or only the reported file of a transfer, as the administrator chooses. */
export function TakeDownReported({ report, file, onClose }: ReportDialogProps & { file: AdminFile }) {
  const t = useMessages("adminRecords");
  const [whole, setWhole] = useState(report.entry === null);
  const path = report.entry === null ? undefined : reportedPath(report, report.entry, t);
  return (
    <TakeDown
      file={file}
      path={whole ? undefined : path}
      takeDown={(note) =>
        call("PUT /api/admin/reports/:id", {
          params: { id: report.id },
          body: { outcome: "taken-down", note, whole },
        })
      }
      onClose={onClose}
    >
      {path !== undefined && (
        <FormChoices legend={t("takeDownWhat")}>
          {[false, true].map((isWhole) => (
            <FormRadio
              key={String(isWhole)}
              name="whole"
              checked={whole === isWhole}
              onChange={() => setWhole(isWhole)}
            >
              <span className="min-w-0 break-words">{isWhole ? t("wholeTransfer") : t("onlyReported", { path })}</span>
            </FormRadio>
          ))}
        </FormChoices>
      )}
    </TakeDown>
  );
}

/** @returns the path of a transfer's reported file, or its number if the path is unknown */
export function reportedPath({ path }: FileReport, entry: number, t: Translate<"adminRecords">): string {
  return path ?? t("unknownEntry", { n: entry + 1 });
}

interface RevealKeyProps {
  reportId: string;
  onClose(): void;
}

/** Shows the key and password of a reported sealed link. Asks first, because the server logs who has seen the key. */
export function RevealKey({ reportId, onClose }: RevealKeyProps) {
  const t = useMessages("adminRecords");
  const tAdmin = useMessages("admin");
  const [key, setKey] = useState<RevealedKey | null>(null);
  const { revalidate } = useRevalidator();
  const onError = useAdminErrorHandler(adminErrorToast(tAdmin("updateFailed"), t("showKeyFailed")));
  if (key) return <ShownKey {...key} onClose={onClose} />;
  return (
    <ActionQuestion
      title={t("showKeyQuestion")}
      text={t("showKeyHelp")}
      yes={t("showKey")}
      no={tAdmin("cancel")}
      look="primary"
      run={() => call("POST /api/admin/reports/:id/shared-key", { params: { id: reportId } })}
      onSuccess={(revealed) => {
        setKey(revealed);
        revalidate();
      }}
      onError={onError}
      onClose={onClose}
    />
  );
}

function ShownKey({ link, password, onClose }: RevealedKey & Pick<RevealKeyProps, "onClose">) {
  const t = useMessages("adminRecords");
  const tCommon = useMessages("common");
  return (
    <Dialog title={t("keyShown")} description={t("keyShownHelp")} onClose={onClose}>
      <dl className="grid gap-3">
        <div>
          <dt className="text-sm text-muted">{t("keyLink")}</dt>
          <dd className="wrap-anywhere">
            <a href={link} target="_blank" rel="noreferrer" className="underline">
              {link}
            </a>
          </dd>
        </div>
        {password !== undefined && (
          <div>
            <dt className="text-sm text-muted">{t("keyPassword")}</dt>
            <dd className="wrap-anywhere">{password}</dd>
          </div>
        )}
      </dl>
      <Button look="quiet" wide className="mt-5" onClick={onClose}>
        {tCommon("close")}
      </Button>
    </Dialog>
  );
}
