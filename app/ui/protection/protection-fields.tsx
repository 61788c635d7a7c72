import { Minus, Plus, Sparkles } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { translateErrors } from "#app/lib/form-errors.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { controlClass, fieldAttributes, FieldFrame } from "#app/ui/form-field.tsx";
import { PasswordInput } from "#app/ui/password-input.tsx";
import { generateLinkPassword } from "#domain/protection/link-protection.ts";
import { CopyPassword } from "./copy-password.tsx";
import { findProtectionErrors, stepLimit, type ProtectionRules, type ProtectionDraft } from "./protection-draft.ts";

interface ProtectionFieldsProps {
  draft: ProtectionDraft;
  isSealed: boolean;
  onChange(draft: ProtectionDraft): void;
  /** How often the caller refused to go on because of errors. Each refusal focuses the first wrong field. */
  refusals: number;
}

/** The password and download limit of a link that is about to be made. */
export function ProtectionFields({ draft, isSealed, onChange, refusals }: ProtectionFieldsProps) {
  const t = useMessages("guards");
  const { ref, errors, leave } = useProtectionErrors(draft, refusals, { isSealed });
  const change = (part: Partial<ProtectionDraft>) => onChange({ ...draft, ...part });
  return (
    <div ref={ref} className="grid gap-4">
      <PasswordField
        label={t("password")}
        hint={t("passwordHint")}
        password={draft.password}
        error={errors.password}
        onChange={(password) => change({ password })}
        onLeave={() => leave("password")}
      />
      <LimitField
        hint={t("endsAfterHint")}
        limit={draft.limit}
        error={errors.limit}
        onChange={(limit) => change({ limit })}
        onLeave={() => leave("limit")}
      />
    </div>
  );
}

/**
 * Shows a field's error once the person has left the field or the caller has refused to go on.
 * @returns `ref` for the element around the fields, the errors, and `leave` for the fields' blur events
 */
export function useProtectionErrors(draft: ProtectionDraft, refusals: number, rules: ProtectionRules) {
  const t = useMessages("fields");
  const tSealing = useMessages("sealing");
  const ref = useRef<HTMLDivElement>(null);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (refusals > 0) ref.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [refusals]);
  const found = Object.entries(findProtectionErrors(draft, rules)).filter(([field]) => refusals > 0 || left.has(field));
  const errors = translateErrors(Object.fromEntries(found), t);
  return {
    ref,
    errors: errors.password && rules.isSealed ? { ...errors, password: tSealing("passwordLength") } : errors,
    leave: (field: keyof ProtectionDraft) => setLeft((before) => new Set(before).add(field)),
  };
}

interface PasswordFieldProps {
  label: string;
  hint: string;
  password: string;
  error: string | undefined;
  onChange(password: string): void;
  onLeave(): void;
}

export function PasswordField({ label, hint, password, error, onChange, onLeave }: PasswordFieldProps) {
  const t = useMessages("guards");
  const id = useId();
  const [isShown, setShown] = useState(false);
  return (
    <div className="grid gap-2">
      <FieldFrame id={id} label={label} hint={hint} error={error}>
        <PasswordInput
          {...fieldAttributes(id, hint, error)}
          isShown={isShown}
          showLabel={t("showPassword")}
          onShow={setShown}
          // Keeps browsers from filling in the password of the account.
          autoComplete="new-password"
          value={password}
          onChange={({ target }) => onChange(target.value)}
          onBlur={onLeave}
        />
      </FieldFrame>
      <div className="flex flex-wrap gap-2">
        <Button
          icon={Sparkles}
          look="quiet"
          onClick={() => {
            onChange(generateLinkPassword());
            setShown(true);
          }}
        >
          {t("makeUp")}
        </Button>
        {password !== "" && <CopyPassword password={password} />}
      </div>
    </div>
  );
}

interface LimitFieldProps {
  hint: string;
  limit: string;
  error: string | undefined;
  onChange(limit: string): void;
  onLeave(): void;
}

/** A text field: a number field gives "" for text that is no number, and "" would mean no limit. */
export function LimitField({ hint, limit, error, onChange, onLeave }: LimitFieldProps) {
  const t = useMessages("guards");
  const id = useId();
  const step = (by: 1 | -1) => () => onChange(stepLimit(limit, by));
  return (
    <FieldFrame id={id} label={t("endsAfter")} hint={hint} error={error}>
      <div className="flex gap-2">
        <Button
          icon={Minus}
          look="quiet"
          className="px-3!"
          aria-label={t("fewer")}
          aria-disabled={limit === ""}
          onClick={step(-1)}
        />
        <input
          {...fieldAttributes(id, hint, error)}
          inputMode="numeric"
          autoComplete="off"
          className={`${controlClass} max-w-24 text-center tabular-nums`}
          value={limit}
          onChange={({ target }) => onChange(target.value.trim())}
          onKeyDown={(event) => {
            if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
            event.preventDefault();
            step(event.key === "ArrowUp" ? 1 : -1)();
          }}
          onBlur={onLeave}
        />
        <Button icon={Plus} look="quiet" className="px-3!" aria-label={t("more")} onClick={step(1)} />
      </div>
    </FieldFrame>
  );
}
