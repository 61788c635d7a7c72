import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import { accountApi } from "#app/features/account/account-api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { passkeyMessage, useKnowsPasskeys } from "#app/lib/passkeys.ts";
import { Button } from "#app/ui/button.tsx";
import { toast } from "#app/ui/toast.ts";
import { CHALLENGE_TTL_MS } from "#domain/passkeys.ts";
import { MINUTE_MS } from "#domain/units.ts";
import type { CurrentUser, PasskeyAssertion } from "#domain/wire.ts";
import { askForPasskey, offerPasskeys, signalUnknownPasskey } from "./browser.ts";

/** A choice made just before leaves time for the fingerprint. */
const OFFER_AGAIN_MS = CHALLENGE_TTL_MS - MINUTE_MS;

interface PasskeyLoginProps {
  /** Whether the session is to outlive the browser. */
  rememberMe(): boolean;
  onSuccess(user: CurrentUser): void;
}

/** A button, and the offer where the browser fills the address in. Nothing in a browser without passkeys. */
export function PasskeyLogin({ rememberMe, onSuccess }: PasskeyLoginProps) {
  const t = useMessages("signIn");
  const isShown = useKnowsPasskeys();
  const login = useMutation({
    mutationFn: async (chosen: PasskeyAssertion | null) => {
      const credential = chosen ?? (await askForPasskey("login"));
      if (!credential) return null;
      try {
        return (await accountApi.loginByPasskey({ credential, rememberMe: rememberMe() })).user;
      } catch (error) {
        signalUnknownPasskey(error, credential);
        throw error;
      }
    },
    onSuccess: (user) => {
      if (!user) return;
      toast({ title: t("loggedIn") });
      onSuccess(user);
    },
    onError: (error) => {
      toast({ title: t("loginFailed"), description: passkeyMessage(error, t("passkeyFailed")), tone: "bad" });
    },
  });
  const { mutate, isPending: isBusy, isError: hasFailed } = login;
  // Offers again after a dialog that was closed, and before the challenge runs out. A passkey that was refused would only
  // be refused again.
  useEffect(() => {
    if (isBusy || hasFailed) return;
    let stop = offerPasskeys(mutate);
    const timer = setInterval(() => {
      stop();
      stop = offerPasskeys(mutate);
    }, OFFER_AGAIN_MS);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [isBusy, hasFailed, mutate]);
  if (!isShown) return null;
  return (
    <Button
      look="quiet"
      wide
      busy={isBusy}
      onClick={() => {
        mutate(null);
      }}
    >
      {t(isBusy ? "loggingIn" : "withPasskey")}
    </Button>
  );
}
