import { useId } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";

interface ShareKeyBoxProps {
  isShared: boolean;
  onChange(isShared: boolean): void;
}

/** Whether the moderators get the link's key with a report. */
export function ShareKeyBox({ isShared, onChange }: ShareKeyBoxProps) {
  const t = useMessages("sealedLinks");
  const id = useId();
  return (
    <div className="grid gap-1">
      <label className="flex min-h-11 cursor-pointer items-center gap-3 text-sm font-medium">
        <input
          type="checkbox"
          className="size-4.5 shrink-0 accent-reed"
          checked={isShared}
          aria-describedby={id}
          onChange={(event) => {
            onChange(event.target.checked);
          }}
        />
        {t("shareKey")}
      </label>
      <p id={id} className="text-sm text-muted">
        {t("shareKeyHint")}
      </p>
    </div>
  );
}
