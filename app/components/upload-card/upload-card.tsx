import { Link } from "@remix-run/react";
import { useCallback, useState } from "react";
import { useMessages } from "#app/messages/messages.ts";
import { useCurrentUser } from "#app/session.ts";
import { useSharedFile } from "#app/shared-file.ts";
import { faultOf } from "#app/upload/chosen-file.ts";
import { currentUpload, prepareUpload, type FailedUpload } from "#app/upload/current-upload.ts";
import { describeOnHome, requiresAuth } from "#app/upload/upload-errors.ts";
import { useMustSignIn } from "#app/upload/use-must-sign-in.ts";
import { useFailure, useUpload } from "#app/upload/use-upload.ts";
import { automaticHours, DEFAULT_EXPIRATION, type Expiration } from "#domain/expiry.ts";
import { LARGEST_FILE_BYTES, limitFor, type PlanId } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";
import type { Translate } from "#messages/translate.ts";
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
  const say = useMessages("uploads");
  const plan = useCurrentUser()?.planType ?? "free";
  const mustSignIn = useMustSignIn();
  const openAuth = useAuthDialog();
  const upload = useUpload();
  const [choice, setChoice] = useState(DEFAULT_CHOICE);
  const [waiting, setWaiting] = useState<File | null>(null);

  const tell = useCallback(
    (failed: FailedUpload) => {
      toast(describeOnHome(failed.error, say));
      const goOn = () => {
        currentUpload.start(failed);
      };
      if (requiresAuth(failed.error)) {
        openAuth({ tab: "register", fileSizeBytes: failed.file.size, onSuccess: goOn });
      }
    },
    [openAuth, say],
  );
  useFailure(upload, tell);

  const send = (file: File) => {
    setWaiting(null);
    currentUpload.start({ file, options: choice, method: "direct" });
  };
  /** Goes on with the file once somebody is signed in, if their plan takes it. */
  const admit = (file: File, goOn: () => void) => {
    const judge = (planType: PlanId) => {
      if (isAcceptable(file, planType, say)) goOn();
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
    if (mustSignIn(file) || isAcceptable(file, plan, say)) setWaiting(file);
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
function isAcceptable(file: File, plan: PlanId, say: Translate<"uploads">): boolean {
  const fault = faultOf(file, plan);
  if (fault === "over-maximum") {
    const size = formatBytes(LARGEST_FILE_BYTES, say.locale);
    toast({ title: say("fileTooLarge"), description: say("overMaximum", { size }), tone: "bad" });
  }
  if (fault === "over-free-limit") {
    toast({ title: say("couldNotUpload"), description: <FreeLimit />, tone: "bad" });
  }
  return fault === null;
}

function FreeLimit() {
  const say = useMessages("uploads");
  return (
    <>
      {say("overFreeLimit", { size: formatBytes(limitFor("free").fileSizeBytes, say.locale) })}{" "}
      <Link to="/pricing" className="font-medium text-reed underline underline-offset-4">
        {say("seePlans")}
      </Link>
    </>
  );
}
