import { useEffect, useRef } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import type { GuardsWarning } from "./guards-edit.ts";

interface ConfirmChangeProps {
  warnings: readonly GuardsWarning[];
  isBusy: boolean;
  onYes(): void;
  onBack(): void;
}

/** Asks in the dialog's own room, so that the person can go back to what they typed. */
export function ConfirmChange({ warnings, isBusy, onYes, onBack }: ConfirmChangeProps) {
  const t = useMessages("guards");
  const question = useRef<HTMLDivElement>(null);
  useEffect(() => {
    question.current?.focus();
  }, []);
  return (
    <div ref={question} role="group" aria-label={t("question")} tabIndex={-1} className="grid gap-4 outline-none">
      <h3 className="text-lg font-medium">{t("question")}</h3>
      {warnings.map(({ message, used }) => (
        <p key={message}>{t(message, { used })}</p>
      ))}
      <div className="grid grid-cols-2 gap-3">
        <Button look="quiet" onClick={onBack}>
          {t("back")}
        </Button>
        <Button look="danger" busy={isBusy} onClick={onYes}>
          {t("changeIt")}
        </Button>
      </div>
    </div>
  );
}
