import { Link, useSearchParams } from "@remix-run/react";
import { useCallback, useEffect, useRef } from "react";
import { useAuthDialog } from "#app/lib/auth-dialog.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { useSearchChange } from "#app/lib/search-params.ts";
import { Card } from "#app/ui/card.tsx";
import { toast } from "#app/ui/toast.ts";
import { limitFor, type PlanId } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";
import type { Translate } from "#messages/translate.ts";
import { currentUpload, type FailedUpload } from "./current-upload.ts";
import { itemsOfFiles } from "./dropped-items.ts";
import { HOME_WORDING } from "./link-choice.ts";
import { describeOnHome, describeOverMaximum, requiresAuth } from "./upload-error-messages.ts";
import { UploadSteps } from "./upload-steps.tsx";
import { findSizeProblem, useMustSignIn, useUploadCard, useUploadFailure } from "./use-upload-card.ts";

/** The parameter of the home page's URL after another app has shared files; its value does not matter. */
const SHARED_PARAM = "shared";

export function UploadCard() {
  const t = useMessages("uploads");
  const mustSignIn = useMustSignIn();
  const openAuth = useAuthDialog();
  const { send, sendOrConfirm, setFileToConfirm, steps } = useUploadCard("direct");
  const { upload, plan } = steps;

  const reportFailure = useCallback(
    (failed: FailedUpload) => {
      toast(describeOnHome(failed.error, t));
      if (!requiresAuth(failed.error)) return;
      openAuth({
        tab: "register",
        fileSizeBytes: failed.file.size,
        onSuccess: () => currentUpload.start(failed),
      });
    },
    [openAuth, t],
  );
  useUploadFailure(upload, reportFailure);

  /** Asks a visitor to sign in if necessary, and continues if the person's plan allows the file. */
  const admit = (file: File, onAdmitted: () => void) => {
    const checkPlan = (planType: PlanId) => {
      if (fitsPlan(file, planType, t)) onAdmitted();
      else setFileToConfirm(null);
    };
    if (!mustSignIn(file)) checkPlan(plan);
    else {
      openAuth({
        tab: "register",
        fileSizeBytes: file.size,
        onSuccess: ({ planType }) => checkPlan(planType),
      });
    }
  };
  useSharedFiles((files) => {
    const [file] = files;
    if (files.length > 1) {
      currentUpload.openTransfer({ items: itemsOfFiles(files), needsConsent: true });
    } else if (file && (mustSignIn(file) || fitsPlan(file, plan, t))) setFileToConfirm(file);
  });

  return (
    <Card>
      <UploadSteps
        {...steps}
        wording={HOME_WORDING}
        takesMany
        onMany={(items, needsConsent = false) => currentUpload.openTransfer({ items, needsConsent })}
        onFile={(file) => admit(file, () => sendOrConfirm(file))}
        onSend={(file) => admit(file, () => send(file))}
      />
    </Card>
  );
}

/** Checks the file against the plan and shows a toast if it does not fit. */
function fitsPlan(file: File, plan: PlanId, t: Translate<"uploads">): boolean {
  const problem = findSizeProblem(file, plan);
  if (problem === "over-maximum") toast(describeOverMaximum(t));
  if (problem === "over-free-limit") {
    toast({ title: t("couldNotUpload"), description: <FreeLimit />, tone: "bad" });
  }
  return problem === null;
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

/** Calls `onFiles` once for files that another app shared, and registers the service worker for the next ones. */
function useSharedFiles(onFiles: (files: File[]) => void): void {
  const [search] = useSearchParams();
  const change = useSearchChange();
  const isShared = search.has(SHARED_PARAM);
  const latestOnFiles = useRef(onFiles);
  useEffect(() => {
    latestOnFiles.current = onFiles;
  });

  useEffect(() => {
    // `serviceWorker` is missing on pages without TLS and in some private windows.
    if (!("serviceWorker" in navigator)) return;
    navigator.serviceWorker.register("/share-worker.js", { scope: "/share" }).catch(() => undefined);
  }, []);

  useEffect(() => {
    if (!isShared) return;
    void importWhenOnline(() => import("./take-shared-files.client.ts")).then(async ({ takeSharedFiles }) => {
      latestOnFiles.current(await takeSharedFiles());
    });
    change({ [SHARED_PARAM]: null });
  }, [isShared, change]);
}
