import { useId } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { setPreferenceCookie } from "#app/lib/preference-cookie.ts";
import { ProtectionFields } from "#app/ui/protection/protection-fields.tsx";
import { areWrong } from "#app/ui/protection/protection-draft.ts";
import type { LinkChoiceProps } from "./link-choice.ts";

interface ChosenProtectionProps extends ProtectLinkProps {
  /** Whether the fields are folded into a line that says what was chosen. */
  isFolded: boolean;
}

export default function ChosenProtection({ choice, onChoice, refusals = 0, isFolded }: ChosenProtectionProps) {
  const t = useMessages("guards");
  const { guards, isSealed = false } = choice;
  if (!isFolded) {
    return (
      <div className="grid gap-4">
        <ProtectionFields
          draft={guards}
          refusals={refusals}
          isSealed={isSealed}
          onChange={(draft) => onChoice({ ...choice, guards: draft, isProtectionWrong: areWrong(draft, isSealed) })}
        />
        {isSecureContext && (
          <SealSwitch
            isOn={isSealed}
            onChange={(isOn) => {
              setPreferenceCookie("sealed", isOn ? "1" : null);
              onChoice({ ...choice, isSealed: isOn, isProtectionWrong: areWrong(guards, isOn) });
            }}
          />
        )}
      </div>
    );
  }
  const chosen = [
    ...(isSealed ? [t("isSealed")] : []),
    ...(guards.password === "" ? [] : [t("hasPassword")]),
    ...(guards.limit === "" ? [] : [t("hasLimit", { count: Number(guards.limit) })]),
  ];
  return chosen.length > 0 && <p className="text-sm text-muted">{chosen.join(" · ")}</p>;
}

/** The switch for encryption, with its disadvantages. */
function SealSwitch({ isOn, onChange }: { isOn: boolean; onChange(isOn: boolean): void }) {
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
          onChange={({ target }) => onChange(target.checked)}
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

export interface ProtectLinkProps extends Pick<LinkChoiceProps, "choice" | "onChoice"> {
  /** How often the file was not sent because its protection was wrong. */
  refusals?: number;
}
