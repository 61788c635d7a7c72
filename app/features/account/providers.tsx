import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useRefreshSecurity, useWaysIn } from "#app/features/account/security-api.ts";
import { callConfirmed } from "#app/lib/confirming.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { Question } from "#app/ui/dialog.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { toast } from "#app/ui/toast.ts";
import type { ListedProvider } from "#domain/wire.ts";
import { ListState } from "./card-parts.tsx";
import { describeProviderError, usePassedOn } from "./provider-return.ts";

/** Connects the account with sign-in providers. Renders nothing until the list is loaded, or if the list is empty. */
export function Providers() {
  const t = useMessages("security");
  const tSignIn = useMessages("signIn");
  const { data, error, refetch } = useWaysIn();
  const refusal = describeProviderError(usePassedOn("error"), tSignIn);
  if (!error && (!data || data.providers.length === 0)) return null;
  return (
    <Card>
      <h2 className="text-lg font-medium">{t("providers")}</h2>
      <p className="mt-1 text-muted">{t("providersHelp")}</p>
      {refusal !== null && (
        <p role="alert" className="mt-3 rounded-xl border border-danger bg-sunken p-3.5 text-sm">
          {refusal}
        </p>
      )}
      <ListState error={error} onRetry={refetch} isLoading={false} />
      <ul className="divide-y divide-line">
        {data?.providers.map((provider) => (
          <ProviderRow key={provider.name} provider={provider} />
        ))}
      </ul>
    </Card>
  );
}

function ProviderRow({ provider: { name, label, isConnected } }: { provider: ListedProvider }) {
  const t = useMessages("security");
  const refresh = useRefreshSecurity();
  const [isAsked, setIsAsked] = useState(false);
  const connect = useMutation({
    mutationFn: () => callConfirmed("POST /api/auth/providers/:name/link", { params: { name } }),
    onSuccess: ({ url }) => window.location.assign(url),
    onError: errorToast(t("connectFailed"), t("passkeyTryAgain")),
  });
  const disconnect = useMutation({
    mutationFn: () => callConfirmed("DELETE /api/auth/providers/:name", { params: { name } }),
    onSuccess: () => toast({ title: t("disconnected", { provider: label }) }),
    onError: errorToast(t("disconnectFailed"), t("passkeyTryAgain")),
    onSettled: () => {
      setIsAsked(false);
      return refresh();
    },
  });
  return (
    <li className="flex items-center justify-between gap-4 py-3">
      <div className="min-w-0">
        <p className="font-medium">{label}</p>
        <p className="text-sm text-muted">{t(isConnected === true ? "isConnected" : "notConnected")}</p>
      </div>
      <Button
        look="quiet"
        busy={connect.isPending}
        aria-label={t(isConnected === true ? "disconnectFrom" : "connectTo", { provider: label })}
        onClick={() => {
          if (isConnected === true) setIsAsked(true);
          else connect.mutate();
        }}
      >
        {t(isConnected === true ? "disconnect" : "connect")}
      </Button>
      {isAsked && (
        <Question
          title={t("disconnectTitle", { provider: label })}
          text={t("disconnectText", { provider: label })}
          yes={t("disconnect")}
          no={t("keepConnected")}
          isBusy={disconnect.isPending}
          onYes={() => disconnect.mutate()}
          onClose={() => setIsAsked(false)}
        />
      )}
    </li>
  );
}
