import { Link } from "@remix-run/react";
import { useCallback, useState } from "react";
import { useCurrentUser, useMayUpload } from "#app/session.ts";
import { useSharedFile } from "#app/shared-file.ts";
import { FREE_LIMIT, faultOf, OVER_MAXIMUM } from "#app/upload/chosen-file.ts";
import { currentUpload, prepareUpload, type FailedUpload } from "#app/upload/current-upload.ts";
import { describeOnHome, requiresAuth } from "#app/upload/upload-errors.ts";
import { useFailure, useUpload } from "#app/upload/use-upload.ts";
import { automaticHours, DEFAULT_EXPIRATION, type Expiration } from "#domain/expiry.ts";
import type { PlanId } from "#domain/plans.ts";
import { useAuthDialog } from "../auth-dialog-context.ts";
import { Card } from "../ui/card.tsx";
import { toast } from "../ui/toast.tsx";
import { UploadSteps } from "./upload-steps.tsx";
import { HOME_WORDING } from "./wording.ts";

export interface ExpirationChoice {
  expiration: Expiration;
  /** False for the untouched default, to which the rule for large files applies. */
  expirationChosen: boolean;
}

export const DEFAULT_CHOICE: ExpirationChoice = { expiration: DEFAULT_EXPIRATION, expirationChosen: false };

/** The home page's upload card: choose a file, watch it go, share its link. */
export function UploadCard() {
  const plan = useCurrentUser()?.planType ?? "free";
  const mayUpload = useMayUpload();
  const openAuth = useAuthDialog();
  const upload = useUpload();
  const [choice, setChoice] = useState(DEFAULT_CHOICE);
  const [waiting, setWaiting] = useState<File | null>(null);

  const tell = useCallback(
    (failed: FailedUpload) => {
      toast(describeOnHome(failed.error));
      const goOn = () => {
        currentUpload.start(failed);
      };
      if (requiresAuth(failed.error)) {
        openAuth({ tab: "register", fileSizeBytes: failed.file.size, onSuccess: goOn });
      }
    },
    [openAuth],
  );
  useFailure(upload, tell);

  const send = (file: File) => {
    setWaiting(null);
    currentUpload.start({ file, options: choice, method: "direct" });
  };
  const signedIn = (file: File, proceed: () => void) => {
    if (mayUpload) proceed();
    else openAuth({ tab: "register", fileSizeBytes: file.size, onSuccess: proceed });
  };
  const choose = (file: File) => {
    if (!isAcceptable(file, plan)) return;
    signedIn(file, () => {
      if (automaticHours({ ...choice, sizeBytes: file.size }) === null) send(file);
      else setWaiting(file);
    });
  };
  useSharedFile((file) => {
    if (isAcceptable(file, plan)) setWaiting(file);
  });

  return (
    <Card>
      <UploadSteps
        upload={upload}
        waiting={waiting}
        plan={plan}
        choice={choice}
        wording={HOME_WORDING}
        onChoice={setChoice}
        onFile={choose}
        onApproach={() => {
          prepareUpload("direct");
        }}
        onSend={(file) => {
          signedIn(file, () => {
            send(file);
          });
        }}
        onBack={() => {
          setWaiting(null);
        }}
      />
    </Card>
  );
}

/** Whether the plan takes the file; why not is said. */
function isAcceptable(file: File, plan: PlanId): boolean {
  const fault = faultOf(file, plan);
  if (fault === "over-maximum") toast({ ...OVER_MAXIMUM, tone: "bad" });
  if (fault === "over-free-limit") {
    toast({ title: "Could not upload file.", description: <FreeLimit />, tone: "bad" });
  }
  return fault === null;
}

function FreeLimit() {
  return (
    <>
      Free accounts can only upload files up to {FREE_LIMIT}.{" "}
      <Link to="/pricing" className="font-medium text-reed underline underline-offset-4">
        See the plans
      </Link>
    </>
  );
}
