import { useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { automaticHours, DEFAULT_EXPIRATION } from "#domain/expiry.ts";
import { formatBytes } from "#domain/units.ts";
import { Button } from "#app/ui/button.tsx";
import type { LinkChoiceProps } from "./link-choice.ts";
import { ExpirationSelect } from "./expiration-select.tsx";
import { ProtectLink } from "./protect-link.tsx";

interface ConfirmFileProps extends LinkChoiceProps {
  file: File;
  onSend(): void;
  onBack(): void;
}

export function ConfirmFile({ file, onSend, onBack, ...link }: ConfirmFileProps) {
  const t = useMessages("uploads");
  const { choice, onChoice } = link;
  // A file may be here because the guards are wrong.
  const [refusals, setRefusals] = useState(choice.guardsAreWrong ? 1 : 0);
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
      <ExpirationSelect {...link} automaticHours={hours} />
      <ProtectLink choice={choice} onChoice={onChoice} refusals={refusals} />
      <div className="grid grid-cols-[auto_1fr] gap-3">
        <Button look="quiet" onClick={onBack}>
          {t("back")}
        </Button>
        {/* Enter sends the file that was just chosen. */}
        <Button
          autoFocus
          onClick={() => {
            if (choice.guardsAreWrong) setRefusals(refusals + 1);
            else onSend();
          }}
        >
          {t("upload")}
        </Button>
      </div>
    </div>
  );
}
