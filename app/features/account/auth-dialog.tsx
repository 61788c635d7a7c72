import * as Tabs from "@radix-ui/react-tabs";
import { useState } from "react";
import type { AuthRequest, AuthTab } from "#app/lib/auth-dialog.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { clearPendingFile } from "#app/lib/pending-file.ts";
import { useAnonymousUploads, useSignedIn } from "#app/lib/session.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { tabClass, tabListClass } from "#app/ui/tab-classes.ts";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { SECOND_FACTOR_METHODS, type SecondFactorMethod } from "#domain/sign-in.ts";
import { formatBytes } from "#domain/units.ts";
import type { CurrentUser } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import { LoginForm } from "./login-form.tsx";
import { MailLinkDialog } from "./mail-link-dialog.tsx";
import { usePassedOn } from "./provider-return.ts";
import { RegisterForm } from "./register-form.tsx";
import { ResetPasswordDialog } from "./reset-password-dialog.tsx";
import { SecondStep } from "./second-step.tsx";

export default function AuthDialog({ request, onClose }: { request: AuthRequest; onClose(): void }) {
  const t = useMessages("signIn");
  const tCommon = useMessages("common");
  const [tab, setTab] = useState<AuthTab>(request.tab);
  const [loginEmail, setLoginEmail] = useState("");
  const [mailSent, setMailSent] = useState(false);
  const [resetting, setResetting] = useState(request.first === "reset");
  const [mailingLink, setMailingLink] = useState(request.first === "mailLink");
  const passedOn = usePassedOn("secondFactor");
  const [methods, setMethods] = useState(() => methodsOf(passedOn));
  const signedIn = useSignedIn();
  const anonymousUploads = useAnonymousUploads();

  const handleSignIn = (user: CurrentUser) => {
    signedIn(user);
    // If the dialog was opened for the pending file, `onSuccess` saves the file again.
    clearPendingFile();
    onClose();
    request.onSuccess?.(user);
  };

  const askForSecondFactor = (offered: readonly SecondFactorMethod[], email: string) => {
    setLoginEmail(email);
    setMailingLink(false);
    setTab("login");
    setMethods(offered);
  };

  if (methods) {
    return (
      <Dialog title={t("secondStep")} description={t("secondStepHelp")} onClose={onClose}>
        <SecondStep methods={methods} onSuccess={handleSignIn} onRestart={() => setMethods(null)} />
      </Dialog>
    );
  }

  if (mailSent) {
    return (
      <Dialog title={t("mailSent")} description={t("mailSentHelp")} onClose={onClose}>
        <Button wide onClick={onClose}>
          {tCommon("close")}
        </Button>
      </Dialog>
    );
  }

  if (resetting) {
    return <ResetPasswordDialog email={loginEmail} onClose={() => setResetting(false)} />;
  }

  if (mailingLink) {
    return (
      <MailLinkDialog
        email={loginEmail}
        onSuccess={handleSignIn}
        onSecondFactor={askForSecondFactor}
        onClose={() => setMailingLink(false)}
      />
    );
  }

  return (
    <Dialog
      title={t(tab === "register" ? "createYourAccount" : "welcomeBack")}
      description={describe(request, anonymousUploads, t)}
      onClose={onClose}
    >
      <Tabs.Root value={tab} onValueChange={(value) => setTab(value === "login" ? "login" : "register")}>
        <Tabs.List className={`${tabListClass} grid-cols-2`}>
          <TabTrigger value="register">{t("register")}</TabTrigger>
          <TabTrigger value="login">{tCommon("logIn")}</TabTrigger>
        </Tabs.List>
        <Tabs.Content value="register" tabIndex={-1}>
          <RegisterForm
            onSuccess={handleSignIn}
            onMailSent={() => setMailSent(true)}
            onEmailTaken={(email) => {
              setLoginEmail(email);
              setTab("login");
            }}
          />
        </Tabs.Content>
        <Tabs.Content value="login" tabIndex={-1}>
          <LoginForm
            email={loginEmail}
            returnTo={request.returnTo ?? null}
            onSuccess={handleSignIn}
            onSecondFactor={askForSecondFactor}
            onForgotPassword={(email) => {
              setLoginEmail(email);
              setTab("login");
              setResetting(true);
            }}
            onMailLink={(email) => {
              setLoginEmail(email);
              setTab("login");
              setMailingLink(true);
            }}
          />
        </Tabs.Content>
      </Tabs.Root>
    </Dialog>
  );
}

/**
 * @param list methods separated by commas, as `/login` got them in its query @returns null if `list` names no known
 * method
 */
function methodsOf(list: string | null): readonly SecondFactorMethod[] | null {
  const names = list?.split(",") ?? [];
  const methods = SECOND_FACTOR_METHODS.filter((method) => names.includes(method));
  return methods.length === 0 ? null : methods;
}

function describe({ reason, fileSizeBytes }: AuthRequest, anonymousUploads: boolean, t: Translate<"signIn">): string {
  if (reason !== undefined) return reason;
  if (fileSizeBytes !== undefined) return t("fileWaits", { size: formatBytes(fileSizeBytes, t.locale) });
  return anonymousUploads ? t("whyAccountVisitors") : t("whyAccount", { product: PRODUCT_NAME });
}

function TabTrigger({ value, children }: { value: AuthTab; children: string }) {
  return (
    <Tabs.Trigger value={value} className={tabClass}>
      {children}
    </Tabs.Trigger>
  );
}
