import { useMessages } from "#app/lib/i18n/messages.ts";
import { automaticHours, DEFAULT_EXPIRATION } from "#domain/expiry.ts";
import type { PlanId } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";
import { Button } from "#app/ui/button.tsx";
import { ExpirationSelect } from "./expiration-select.tsx";
import type { ExpirationChoice } from "./upload-card.tsx";
import type { Wording } from "./wording.ts";

interface ConfirmFileProps {
  wording: Wording;
  file: File;
  plan: PlanId;
  choice: ExpirationChoice;
  onChoice(choice: ExpirationChoice): void;
  onSend(): void;
  onBack(): void;
}

/**
 * The last look before a file is sent: at one that another app shared, and at a large one, which on the default expiry is
 * kept for hours, not days.
 */
export function ConfirmFile({ wording, file, plan, choice, onChoice, onSend, onBack }: ConfirmFileProps) {
  const t = useMessages("uploads");
  const hours = automaticHours({ expiration: DEFAULT_EXPIRATION, expirationChosen: false, sizeBytes: file.size });
  return (
    <div className="grid gap-5">
      <div>
        <h2 className="font-medium break-words">{file.name}</h2>
        <p className="text-sm text-muted">{formatBytes(file.size, t.locale)}</p>
      </div>
      {hours !== null && !choice.expirationChosen && (
        <p role="status" className="rounded-xl border border-amber bg-sunken p-3.5 text-sm">
          {t("largeFile", { hours })}
        </p>
      )}
      <ExpirationSelect wording={wording} plan={plan} choice={choice} automaticHours={hours} onChoice={onChoice} />
      <div className="grid grid-cols-[auto_1fr] gap-3">
        <Button look="quiet" onClick={onBack}>
          {t("back")}
        </Button>
        {/* The person has just chosen this file: the next key press should send it. */}
        <Button autoFocus onClick={onSend}>
          {t("upload")}
        </Button>
      </div>
    </div>
  );
}
