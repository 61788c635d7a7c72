import { useMessages } from "#app/lib/i18n/messages.ts";
import { useOnline } from "#app/lib/online.ts";
import { Button } from "#app/ui/button.tsx";

interface WaitingProps {
  text: string;
  /** Goes back. Absent if the person cannot leave the step. */
  onBack?: (() => void) | undefined;
}

/**
 * Says that something is being loaded, with a button to go back: without a connection a script may never arrive, and a
 * large folder takes long to read.
 */
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
