import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { queryKeys } from "#app/lib/api.ts";
import { accountApi } from "#app/features/account/account-api.ts";
import { ListState } from "#app/features/account/list-state.tsx";
import { describeDevice } from "#app/features/account/describe-device.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { regionOf } from "#app/lib/i18n/region.ts";
import type { ListedSession } from "#domain/wire.ts";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { toast } from "#app/ui/toast.ts";

export function Sessions() {
  const t = useMessages("account");
  const queries = useQueryClient();
  const { data: sessions, error, refetch } = useQuery({ queryKey: queryKeys.sessions, queryFn: accountApi.sessions });
  const endSession = useMutation({
    mutationFn: (id: string | null) => (id === null ? accountApi.endOtherSessions() : accountApi.endSession(id)),
    onSuccess: () => {
      toast({ title: t("sessionEnded") });
    },
    onError: (mutationError) => {
      toast({ title: t("sessionFailed"), description: mutationError.message, tone: "bad" });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.sessions }),
  });
  const others = sessions?.filter(({ isCurrent }) => !isCurrent) ?? [];
  return (
    <Card>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg font-medium">{t("sessions")}</h2>
        {others.length > 1 && (
          <Button
            look="quiet"
            disabled={endSession.isPending}
            onClick={() => {
              endSession.mutate(null);
            }}
          >
            {t("endOthers")}
          </Button>
        )}
      </div>
      <ListState error={error} onRetry={refetch} isLoading={!sessions} />
      <ul className="divide-y divide-line">
        {sessions?.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            busy={endSession.isPending}
            onEnd={() => {
              endSession.mutate(session.id);
            }}
          />
        ))}
      </ul>
    </Card>
  );
}

function SessionRow({ session, busy, onEnd }: { session: ListedSession; busy: boolean; onEnd(): void }) {
  const t = useMessages("account");
  const device = describeDevice(session.userAgent, t);
  const format = { dateStyle: "medium", timeStyle: "short" } as const;
  const date = new Date(session.createdAt).toLocaleString(regionOf(t.locale), format);
  return (
    <li className="flex items-center justify-between gap-4 py-3">
      <div className="min-w-0">
        <p className="font-medium">{session.isCurrent ? t("thisSession", { device }) : device}</p>
        <p className="text-sm break-words text-muted">
          {session.address ? t("sinceFrom", { date, address: session.address }) : t("since", { date })}
        </p>
      </div>
      {!session.isCurrent && (
        <Button look="quiet" disabled={busy} aria-label={t("endSession", { device })} onClick={onEnd}>
          {t("end")}
        </Button>
      )}
    </li>
  );
}
