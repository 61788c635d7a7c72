import { describeDevice } from "#app/features/account/describe-device.ts";
import { useDate } from "#app/features/account/use-date.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import type { ListedSession } from "#domain/wire.ts";

interface SessionRowProps {
  session: ListedSession;
  busy: boolean;
  onEnd(): void;
}

export function SessionRow({ session, busy, onEnd }: SessionRowProps) {
  const t = useMessages("account");
  const dateOf = useDate();
  const device = describeDevice(session.userAgent, t);
  const date = dateOf(session.createdAt);
  return (
    <li className="flex items-center justify-between gap-4 py-2">
      <div className="min-w-0">
        <p>{session.isCurrent ? t("thisSession", { device }) : device}</p>
        <p className="text-sm break-words text-muted">
          {session.address ? t("sinceFrom", { date, address: session.address }) : t("since", { date })}
        </p>
      </div>
      {!session.isCurrent && (
        <Button look="quiet" className="shrink-0" busy={busy} aria-label={t("endSession", { device })} onClick={onEnd}>
          {t("end")}
        </Button>
      )}
    </li>
  );
}
