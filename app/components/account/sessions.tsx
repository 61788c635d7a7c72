import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, queryKeys } from "#app/api.ts";
import { describeDevice } from "#app/device.ts";
import type { ListedSession } from "#domain/wire.ts";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { toast } from "../ui/toast.tsx";

/** Where the person is signed in, and ending it. */
export function Sessions() {
  const queries = useQueryClient();
  const { data: sessions, error, refetch } = useQuery({ queryKey: queryKeys.sessions, queryFn: api.sessions });
  const end = useMutation({
    mutationFn: (id: string | null) => (id === null ? api.endOtherSessions() : api.endSession(id)),
    onSuccess: () => {
      toast({ title: "Signed out there" });
    },
    onError: (failure) => {
      toast({ title: "Could not end the session", description: failure.message, tone: "bad" });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.sessions }),
  });
  const others = sessions?.filter(({ isCurrent }) => !isCurrent) ?? [];
  return (
    <Card>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg font-medium">Where you are signed in</h2>
        {others.length > 1 && (
          <Button
            look="quiet"
            disabled={end.isPending}
            onClick={() => {
              end.mutate(null);
            }}
          >
            End all others
          </Button>
        )}
      </div>
      {error && (
        <p role="alert" className="flex flex-wrap items-center gap-3 text-sm">
          {error.message}
          <Button look="quiet" onClick={() => void refetch()}>
            Retry
          </Button>
        </p>
      )}
      {!sessions && !error && <p className="py-3 text-muted">Loading…</p>}
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
  const device = describeDevice(session.userAgent);
  return (
    <li className="flex items-center justify-between gap-4 py-3">
      <div className="min-w-0">
        <p className="font-medium">{session.isCurrent ? `${device} (this session)` : device}</p>
        <p className="text-sm break-words text-muted">
          Since {new Date(session.createdAt).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })}
          {session.address && ` · ${session.address}`}
        </p>
      </div>
      {!session.isCurrent && (
        <Button look="quiet" disabled={busy} aria-label={`End the session on ${device}`} onClick={onEnd}>
          End
        </Button>
      )}
    </li>
  );
}
