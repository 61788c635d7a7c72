import * as Tabs from "@radix-ui/react-tabs";
import { Link } from "@remix-run/react";
import { type ReactNode, useCallback, useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useCurrentUser } from "#app/lib/session.ts";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Page } from "#app/ui/page.tsx";
import { tabClass, tabListClass } from "#app/ui/tab-classes.ts";
import { toast } from "#app/ui/toast.ts";
import type { Locale } from "#domain/locale.ts";
import { isFree, limitFor } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";
import { currentUpload, type FailedUpload, type UploadMethod } from "./current-upload.ts";
import { PAGE_WORDING } from "./link-choice.ts";
import { describeOnUploadPage, describeOverMaximum, requiresAuth } from "./upload-error-messages.ts";
import { UploadSteps } from "./upload-steps.tsx";
import { findSizeProblem, useMustSignIn, useUploadCard, useUploadFailure } from "./use-upload-card.ts";

interface UploadPageProps {
  title: string;
  lead: ReactNode;
  tab: string;
  steps: string[];
  children: ReactNode;
}

export function UploadPage({ title, lead, tab, steps, children }: UploadPageProps) {
  const t = useMessages("uploadPages");
  return (
    <Page title={title} lead={lead}>
      <Tabs.Root defaultValue="upload">
        <Tabs.List className={tabListClass}>
          <Tabs.Trigger value="upload" className={tabClass}>
            {tab}
          </Tabs.Trigger>
          <Tabs.Trigger value="how" className={tabClass}>
            {t("howItWorks")}
          </Tabs.Trigger>
        </Tabs.List>
        <Tabs.Content value="upload">{children}</Tabs.Content>
        <Tabs.Content value="how">
          <Card>
            <ol className="grid list-decimal gap-3 pl-5 marker:font-medium marker:text-amber-ink">
              {steps.map((step) => (
                <li key={step} className="pl-1">
                  {step}
                </li>
              ))}
            </ol>
          </Card>
        </Tabs.Content>
      </Tabs.Root>
    </Page>
  );
}

interface UploadPageCardProps {
  method: UploadMethod;
  /** Asks a visitor to sign in. Must be the same function on each render. */
  askToSignIn(fileSizeBytes: number): void;
  children?: ReactNode;
}

export function UploadPageCard({ method, askToSignIn, children }: UploadPageCardProps) {
  const t = useMessages("uploads");
  const isSignedIn = useCurrentUser() !== null;
  const mustSignIn = useMustSignIn();
  const { send, sendOrConfirm, steps } = useUploadCard(method);
  const { upload, plan } = steps;
  const [isOversize, setIsOversize] = useState(false);
  const [previousPlan, setPreviousPlan] = useState(plan);
  if (previousPlan !== plan) {
    // The new plan may allow the file.
    setPreviousPlan(plan);
    setIsOversize(false);
  }

  const reportFailure = useCallback(
    (failed: FailedUpload) => {
      toast(describeOnUploadPage(failed.error, t));
      if (requiresAuth(failed.error)) askToSignIn(failed.file.size);
    },
    [askToSignIn, t],
  );
  useUploadFailure(upload, reportFailure);

  const choose = (file: File) => {
    setIsOversize(false);
    if (mustSignIn(file)) {
      askToSignIn(file.size);
      return;
    }
    const problem = findSizeProblem(file, plan);
    if (problem === "over-maximum") toast(describeOverMaximum(t));
    else if (problem === "over-free-limit") setIsOversize(true);
    else sendOrConfirm(file);
  };

  return (
    <Card>
      {children}
      <UploadSteps
        {...steps}
        wording={PAGE_WORDING}
        takesMany={method === "direct"}
        onFile={choose}
        onMany={(items) => {
          if (method === "direct") currentUpload.openTransfer({ items });
          else toast({ title: t("oneAtATime"), description: t("oneAtATimeHelp"), tone: "bad" });
        }}
        onSend={send}
        notice={isOversize && <Oversize />}
        footnote={isSignedIn && isFree(plan) && <FreeAccountLimit />}
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
        strong: (text) => (
          <span key="strong" className="font-medium text-ink">
            {text}
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

interface SignInDialogProps {
  title: string;
  signUpLabel: string;
  children: ReactNode;
  onLogin(): void;
  onSignUp(): void;
  onClose(): void;
}

export function SignInDialog({ title, signUpLabel, children, onLogin, onSignUp, onClose }: SignInDialogProps) {
  const t = useMessages("uploadPages");
  return (
    <Dialog title={title} description={children} onClose={onClose}>
      <div className="grid gap-3">
        <Button onClick={onSignUp}>{signUpLabel}</Button>
        <Button look="quiet" onClick={onLogin}>
          {t("login")}
        </Button>
        <Button look="bare" onClick={onClose}>
          {t("cancel")}
        </Button>
      </div>
    </Dialog>
  );
}
