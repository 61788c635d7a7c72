import { Link } from "@remix-run/react";
import { useCallback, useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useCurrentUser } from "#app/lib/session.ts";
import { useSharedFile } from "#app/features/upload/shared-file.ts";
import { faultOf } from "#app/features/upload/chosen-file.ts";
import { currentUpload, prepareUpload, type FailedUpload } from "#app/features/upload/current-upload.ts";
import { describeOnHome, requiresAuth } from "#app/features/upload/upload-error-messages.ts";
import { useMustSignIn } from "#app/features/upload/use-must-sign-in.ts";
import { useFailure, useUpload } from "#app/features/upload/use-upload.ts";
import { automaticHours, DEFAULT_EXPIRATION, type Expiration } from "#domain/expiry.ts";
import { LARGEST_FILE_BYTES, limitFor, type PlanId } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";
import type { Translate } from "#messages/translate.ts";
import { useAuthDialog } from "#app/features/account/auth-dialog-context.ts";
import { Card } from "#app/ui/card.tsx";
import { toast } from "#app/ui/toast.tsx";
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
  const t = useMessages("uploads");
  const plan = useCurrentUser()?.planType ?? "free";
  const mustSignIn = useMustSignIn();
  const openAuth = useAuthDialog();
  const upload = useUpload();
  const [choice, setChoice] = useState(DEFAULT_CHOICE);
  const [waiting, setWaiting] = useState<File | null>(null);

  const tell = useCallback(
    (failed: FailedUpload) => {
      toast(describeOnHome(failed.error, t));
      const goOn = () => {
        currentUpload.start(failed);
      };
      if (requiresAuth(failed.error)) {
        openAuth({ tab: "register", fileSizeBytes: failed.file.size, onSuccess: goOn });
      }
    },
    [openAuth, t],
  );
  useFailure(upload, tell);

  const send = (file: File) => {
    setWaiting(null);
    currentUpload.start({ file, options: choice, method: "direct" });
  };
  /** Goes on with the file once somebody is signed in, if their plan takes it. */
  const admit = (file: File, goOn: () => void) => {
    const judge = (planType: PlanId) => {
      if (isAcceptable(file, planType, t)) goOn();
      else setWaiting(null);
    };
    if (!mustSignIn(file)) judge(plan);
    else {
      openAuth({
        tab: "register",
        fileSizeBytes: file.size,
        onSuccess: ({ planType }) => {
          judge(planType);
        },
      });
    }
  };
  const choose = (file: File) => {
    admit(file, () => {
      if (automaticHours({ ...choice, sizeBytes: file.size }) === null) send(file);
      else setWaiting(file);
    });
  };
  useSharedFile((file) => {
    if (mustSignIn(file) || isAcceptable(file, plan, t)) setWaiting(file);
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
          admit(file, () => {
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
function isAcceptable(file: File, plan: PlanId, t: Translate<"uploads">): boolean {
  const fault = faultOf(file, plan);
  if (fault === "over-maximum") {
    const size = formatBytes(LARGEST_FILE_BYTES, t.locale);
    toast({ title: t("fileTooLarge"), description: t("overMaximum", { size }), tone: "bad" });
  }
  if (fault === "over-free-limit") {
    toast({ title: t("couldNotUpload"), description: <FreeLimit />, tone: "bad" });
  }
  return fault === null;
}

function FreeLimit() {
  const t = useMessages("uploads");
  return (
    <>
      {t("overFreeLimit", { size: formatBytes(limitFor("free").fileSizeBytes, t.locale) })}{" "}
      <Link to="/pricing" className="font-medium text-reed underline underline-offset-4">
        {t("seePlans")}
      </Link>
    </>
  );
}
