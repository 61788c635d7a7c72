import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, queryKeys } from "#app/api.ts";
import { describeDevice } from "#app/device.ts";
import { useMessages } from "#app/messages/messages.ts";
import { regionOf } from "#app/messages/region.ts";
import type { ListedSession } from "#domain/wire.ts";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { toast } from "../ui/toast.tsx";

/** Where the person is signed in, and ending it. */
export function Sessions() {
  const say = useMessages("account");
  const queries = useQueryClient();
  const { data: sessions, error, refetch } = useQuery({ queryKey: queryKeys.sessions, queryFn: api.sessions });
  const end = useMutation({
    mutationFn: (id: string | null) => (id === null ? api.endOtherSessions() : api.endSession(id)),
    onSuccess: () => {
      toast({ title: say("sessionEnded") });
    },
    onError: (failure) => {
      toast({ title: say("sessionFailed"), description: failure.message, tone: "bad" });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.sessions }),
  });
  const others = sessions?.filter(({ isCurrent }) => !isCurrent) ?? [];
  return (
    <Card>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg font-medium">{say("sessions")}</h2>
        {others.length > 1 && (
          <Button
            look="quiet"
            disabled={end.isPending}
            onClick={() => {
              end.mutate(null);
            }}
          >
            {say("endOthers")}
          </Button>
        )}
      </div>
      {error && (
        <p role="alert" className="flex flex-wrap items-center gap-3 text-sm">
          {error.message}
          <Button look="quiet" onClick={() => void refetch()}>
            {say("retry")}
          </Button>
        </p>
      )}
      {!sessions && !error && <p className="py-3 text-muted">{say("loading")}</p>}
      <ul className="divide-y divide-line">
        {sessions?.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            busy={end.isPending}
            onEnd={() => {
              end.mutate(session.id);
            }}
          />
        ))}
      </ul>
    </Card>
  );
}

function SessionRow({ session, busy, onEnd }: { session: ListedSession; busy: boolean; onEnd(): void }) {
  const say = useMessages("account");
  const device = describeDevice(session.userAgent, say);
  const moment = { dateStyle: "medium", timeStyle: "short" } as const;
  const date = new Date(session.createdAt).toLocaleString(regionOf(say.locale), moment);
  return (
    <li className="flex items-center justify-between gap-4 py-3">
      <div className="min-w-0">
        <p className="font-medium">{session.isCurrent ? say("thisSession", { device }) : device}</p>
        <p className="text-sm break-words text-muted">
          {session.address ? say("sinceFrom", { date, address: session.address }) : say("since", { date })}
        </p>
      </div>
      {!session.isCurrent && (
        <Button look="quiet" disabled={busy} aria-label={say("endSession", { device })} onClick={onEnd}>
          {say("end")}
        </Button>
      )}
    </li>
  );
}
