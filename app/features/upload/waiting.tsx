import { useMessages } from "#app/lib/i18n/messages.ts";
import { useOnline } from "#app/lib/online.ts";
import { Button } from "#app/ui/button.tsx";

interface WaitingProps {
  text: string;
  /** Absent for what cannot be left. */
  onBack?: (() => void) | undefined;
}

/** Without a connection a script may not come at all, and a large folder takes a while: the person can leave. */
export function Waiting({ text, onBack }: WaitingProps) {
  const t = useMessages("uploads");
  const online = useOnline();
  return (
    <div className="grid justify-items-center gap-4 py-10 text-center">
      <p className="text-muted">{text}</p>
      {!online && (
        <p role="status" className="text-sm font-medium text-amber-ink">
          {t("offline")}
        </p>
      )}
      {onBack && (
        <Button look="quiet" onClick={onBack}>
          {t("back")}
        </Button>
      )}
    </div>
  );
}
