import { useId } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";

interface SealSwitchProps {
  isOn: boolean;
  onChange(isOn: boolean): void;
}

/** Encrypts what is sent, with what that costs beside it. */
export function SealSwitch({ isOn, onChange }: SealSwitchProps) {
  const t = useMessages("sealing");
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <label className="flex min-h-11 items-center gap-3 text-sm font-medium">
        <input
          type="checkbox"
          role="switch"
          className="size-5 shrink-0 accent-(--reed)"
          checked={isOn}
          aria-describedby={id}
          onChange={({ target }) => {
            onChange(target.checked);
          }}
        />
        {t("sealIt")}
      </label>
      <div id={id} className="grid gap-1.5 text-sm text-muted">
        <p>{t("sealHelp")}</p>
        <p>{t("sealCosts")}</p>
      </div>
    </div>
  );
}
