import { Link } from "@remix-run/react";
import { useCallback, useState, type ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useCurrentUser } from "#app/lib/session.ts";
import { faultOf } from "#app/features/upload/chosen-file.ts";
import { currentUpload, prepareUpload, type FailedUpload, type Method } from "#app/features/upload/current-upload.ts";
import { describeOnUploadPage, requiresAuth } from "#app/features/upload/upload-error-messages.ts";
import { useMustSignIn } from "#app/features/upload/use-must-sign-in.ts";
import { useFailure, useUpload } from "#app/features/upload/use-upload.ts";
import { automaticHours } from "#domain/expiry.ts";
import type { Locale } from "#domain/locale.ts";
import { isFree, LARGEST_FILE_BYTES, limitFor } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";
import { Card } from "#app/ui/card.tsx";
import { toast } from "#app/ui/toast.tsx";
import { DEFAULT_CHOICE } from "./upload-card.tsx";
import { UploadSteps } from "./upload-steps.tsx";
import { PAGE_WORDING } from "./wording.ts";

interface TransferCardProps {
  method: Method;
  /** Asks a visitor to sign in; gets the size of the file they chose, bytes. The same from one rendering to the next. */
  askToSignIn(fileSizeBytes: number): void;
  children?: ReactNode;
}

/** The card of the chunked and the direct upload page: select, progress, success. */
export function TransferCard({ method, askToSignIn, children }: TransferCardProps) {
  const t = useMessages("uploads");
  const user = useCurrentUser();
  const plan = user?.planType ?? "free";
  const mustSignIn = useMustSignIn();
  const upload = useUpload();
  const [choice, setChoice] = useState(DEFAULT_CHOICE);
  const [waiting, setWaiting] = useState<File | null>(null);
  const [oversize, setOversize] = useState(false);
  const [planThen, setPlanThen] = useState(plan);
  if (planThen !== plan) {
    // What was too large for one plan has to be judged anew on another.
    setPlanThen(plan);
    setOversize(false);
  }

  const tell = useCallback(
    (failed: FailedUpload) => {
      toast(describeOnUploadPage(failed.error, t));
      if (requiresAuth(failed.error)) askToSignIn(failed.file.size);
    },
    [askToSignIn, t],
  );
  useFailure(upload, tell);

  const send = (file: File) => {
    setWaiting(null);
    currentUpload.start({ file, options: choice, method });
  };
  const choose = (file: File) => {
    setOversize(false);
    if (mustSignIn(file)) {
      askToSignIn(file.size);
      return;
    }
    const fault = faultOf(file, plan);
    if (fault === "over-maximum") {
      const size = formatBytes(LARGEST_FILE_BYTES, t.locale);
      toast({ title: t("fileTooLarge"), description: t("overMaximum", { size }), tone: "bad" });
    } else if (fault === "over-free-limit") setOversize(true);
    else if (automaticHours({ ...choice, sizeBytes: file.size }) === null) send(file);
    else setWaiting(file);
  };

  return (
    <Card>
      {children}
      <UploadSteps
        upload={upload}
        waiting={waiting}
        plan={plan}
        choice={choice}
        wording={PAGE_WORDING}
        onChoice={setChoice}
        onFile={choose}
        onApproach={() => {
          prepareUpload(method);
        }}
        onSend={send}
        onBack={() => {
          setWaiting(null);
        }}
        notice={oversize && <Oversize />}
        footnote={user && isFree(plan) && <FreeAccountLimit />}
      />
    </Card>
  );
}

function Oversize() {
  const t = useMessages("uploads");
  return (
    <div role="alert" className="rounded-2xl border border-danger bg-sunken p-4 text-sm">
      <p className="font-medium">{t("sizeExceeded")}</p>
      <p className="mt-1">
        {t("upgradeForLarger", { size: freeLimit(t.locale) })} <ViewPlans />
      </p>
    </div>
  );
}

function FreeAccountLimit() {
  const t = useMessages("uploads");
  return (
    <p className="text-sm text-muted">
      {t.rich("freeAccountLimit", {
        size: freeLimit(t.locale),
        strong: (words) => (
          <span key="strong" className="font-medium text-ink">
            {words}
          </span>
        ),
      })}{" "}
      <ViewPlans />
    </p>
  );
}

function freeLimit(locale: Locale): string {
  return formatBytes(limitFor("free").fileSizeBytes, locale);
}

function ViewPlans() {
  const t = useMessages("uploads");
  return (
    <Link to="/plans" className="font-medium text-reed underline underline-offset-4">
      {t("viewPlans")}
    </Link>
  );
}
