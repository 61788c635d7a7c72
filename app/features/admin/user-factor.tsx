import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { call } from "#app/lib/api.ts";
import { callConfirmed } from "#app/lib/confirming.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { toast } from "#app/ui/toast.ts";
import type { AdminFactorState, AdminUser } from "#domain/wire.ts";
import { adminErrorMessage, adminErrorToast, useAdminMutation } from "./admin-changes.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { DateTime } from "./date-time.tsx";

interface UserFactorProps {
  user: AdminUser;
  onClose(): void;
}

/** Shows a user's second factors, and removes an authenticator app that the user has lost. */
export function UserFactor({ user, onClose }: UserFactorProps) {
  const t = useMessages("userFactor");
  const [isRemoving, setIsRemoving] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ["/api/admin/users/second-factor", user.id],
    queryFn: () => call("GET /api/admin/users/:id/second-factor", { params: { id: user.id } }),
    // The state is not cached, because the user may have answered the mail before the dialog opens again.
    gcTime: 0,
  });
  const ask = useAdminMutation({
    change: () => callConfirmed("POST /api/admin/users/:id/second-factor/removal", { params: { id: user.id } }),
    onSuccess: () => {
      toast({ title: t("removalSent"), description: t("removalSentHelp", { email: user.email }) });
      void refetch();
    },
    onError: adminErrorToast(t("askRemoval"), t("factorFailed")),
  });
  if (isRemoving) return <RemoveFactor user={user} onClose={onClose} />;
  return (
    <Dialog title={t("secondFactor")} description={t("factorOf", { email: user.email })} onClose={onClose}>
      {error && <p role="alert">{adminErrorMessage(error, t("factorLoadFailed"))}</p>}
      {data && (
        <div className="grid gap-3">
          <FactorState state={data} />
          {data.since !== null && (
            <Removal
              state={data}
              isAsking={ask.isPending}
              onAsk={() => ask.mutate()}
              onRemove={() => setIsRemoving(true)}
            />
          )}
        </div>
      )}
    </Dialog>
  );
}

function FactorState({ state: { since, passkeys } }: { state: AdminFactorState }) {
  const t = useMessages("userFactor");
  return (
    <ul className="grid gap-1">
      <li>
        {since === null
          ? t("noApp")
          : t.rich<"factorSince", ReactNode>("factorSince", { date: () => <DateTime key="date" at={since} /> })}
      </li>
      <li>{t("passkeyCount", { count: passkeys })}</li>
    </ul>
  );
}

interface RemovalProps {
  state: AdminFactorState;
  isAsking: boolean;
  onAsk(): void;
  onRemove(): void;
}

function Removal({ state: { removal, keptAt }, isAsking, onAsk, onRemove }: RemovalProps) {
  const t = useMessages("userFactor");
  const moment = (at: string) => ({ date: () => <DateTime key="date" at={at} withTime /> });
  if (!removal) {
    return (
      <>
        <p className="text-sm text-muted">{t("removalHelp")}</p>
        {keptAt !== null && <p>{t.rich<"removalKept", ReactNode>("removalKept", moment(keptAt))}</p>}
        <Button look="quiet" busy={isAsking} onClick={onAsk}>
          {t(isAsking ? "asking" : "askRemoval")}
        </Button>
      </>
    );
  }
  return (
    <>
      <p>{t.rich<"removalAsked", ReactNode>("removalAsked", moment(removal.askedAt))}</p>
      {removal.isOpen ? (
        <>
          <p>{t.rich<"removalOpen", ReactNode>("removalOpen", moment(removal.until))}</p>
          <Button look="danger" onClick={onRemove}>
            {t("removeApp")}
          </Button>
        </>
      ) : (
        <p>{t.rich<"removalFrom", ReactNode>("removalFrom", moment(removal.from))}</p>
      )}
    </>
  );
}

function RemoveFactor({ user: { id, email }, onClose }: UserFactorProps) {
  const t = useMessages("userFactor");
  return (
    <ConfirmDialog
      title={t("removeAppQuestion")}
      text={t("removeAppHelp", { email })}
      yes={t("removeApp")}
      pending={t("removing")}
      run={() => callConfirmed("DELETE /api/admin/users/:id/second-factor", { params: { id } })}
      onSuccess={() => toast({ title: t("appRemoved"), description: t("appRemovedHelp", { email }) })}
      onError={adminErrorToast(t("removeApp"), t("factorFailed"))}
      onClose={onClose}
    />
  );
}
