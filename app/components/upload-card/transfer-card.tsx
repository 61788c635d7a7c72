import { Link } from "@remix-run/react";
import { useCallback, useState, type ReactNode } from "react";
import { useMessages } from "#app/messages/messages.ts";
import { useCurrentUser } from "#app/session.ts";
import { faultOf } from "#app/upload/chosen-file.ts";
import { currentUpload, prepareUpload, type FailedUpload, type Method } from "#app/upload/current-upload.ts";
import { describeOnUploadPage, requiresAuth } from "#app/upload/upload-errors.ts";
import { useMustSignIn } from "#app/upload/use-must-sign-in.ts";
import { useFailure, useUpload } from "#app/upload/use-upload.ts";
import { automaticHours } from "#domain/expiry.ts";
import type { Locale } from "#domain/locale.ts";
import { isFree, LARGEST_FILE_BYTES, limitFor } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";
import { Card } from "../ui/card.tsx";
import { toast } from "../ui/toast.tsx";
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
  const say = useMessages("uploads");
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
      toast(describeOnUploadPage(failed.error, say));
      if (requiresAuth(failed.error)) askToSignIn(failed.file.size);
    },
    [askToSignIn, say],
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
      const size = formatBytes(LARGEST_FILE_BYTES, say.locale);
      toast({ title: say("fileTooLarge"), description: say("overMaximum", { size }), tone: "bad" });
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
  const say = useMessages("uploads");
  return (
    <div role="alert" className="rounded-2xl border border-danger bg-sunken p-4 text-sm">
      <p className="font-medium">{say("sizeExceeded")}</p>
      <p className="mt-1">
        {say("upgradeForLarger", { size: freeLimit(say.locale) })} <ViewPlans />
      </p>
    </div>
  );
}

function FreeAccountLimit() {
  const say = useMessages("uploads");
  return (
    <p className="text-sm text-muted">
      {say.rich("freeAccountLimit", {
        size: freeLimit(say.locale),
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
  const say = useMessages("uploads");
  return (
    <Link to="/plans" className="font-medium text-reed underline underline-offset-4">
      {say("viewPlans")}
    </Link>
  );
}
