import { useEffect } from "react";
import { useAuthDialog } from "#app/lib/auth-dialog.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { requiresAuth } from "../upload-error-messages.ts";

const asked = new WeakSet<object>();

/** Asks a person whose session has ended to log in, once for each error. */
export function useAskToSignIn(error: unknown, onSignedIn: () => void): void {
  const t = useMessages("transferUpload");
  const openAuth = useAuthDialog();
  useEffect(() => {
    if (!(error instanceof Error) || !requiresAuth(error) || asked.has(error)) return;
    asked.add(error);
    openAuth({ tab: "login", reason: t("logInToGoOn"), onSuccess: onSignedIn });
    // oxlint-disable-next-line react/exhaustive-deps -- a new function is no reason to ask again
  }, [error]);
}
