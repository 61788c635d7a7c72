import { LockKeyhole } from "lucide-react";
import { useEffect, useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import type { LinkProtectionNow, ChangeProtection } from "#domain/wire.ts";
import type { MessageName } from "#messages/messages.ts";
import { LimitField, PasswordField, useProtectionErrors } from "./protection-fields.tsx";
import { findProtectionErrors, type ProtectionDraft } from "./protection-draft.ts";

interface ProtectionFormProps {
  now: LinkProtectionNow;
  /** This browser has the link's key. Without the key, the password of a sealed link cannot be changed. */
  hasKey: boolean;
  edit: ProtectionEdit;
  isBusy: boolean;
  onChange(edit: ProtectionEdit): void;
  onLetGoOn(): void;
  /** Called only when no field has an error. */
  onSave(): void;
}

export function ProtectionForm({ now, hasKey, edit, isBusy, onChange, onLetGoOn, onSave }: ProtectionFormProps) {
  const t = useMessages("guards");
  const { draft, password } = edit;
  const rules = { needsPassword: now.password && password === "change", isSealed: now.sealed };
  const [refusals, setRefusals] = useState(0);
  const { ref, errors, leave } = useProtectionErrors(draft, refusals, rules);
  useEffect(() => {
    // The dialog had the focus while the protection was loading or the question was shown.
    ref.current?.querySelector<HTMLElement>("input, button")?.focus();
  }, [ref]);
  const setDraft = (change: Partial<ProtectionDraft>) => onChange({ ...edit, draft: { ...draft, ...change } });
  const setPassword = (plan: ProtectionEdit["password"]) => () =>
    onChange({ draft: { ...draft, password: "" }, password: plan });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (Object.keys(findProtectionErrors(draft, rules)).length > 0) setRefusals(refusals + 1);
        else onSave();
      }}
    >
      <div ref={ref} className="grid gap-5">
        {!hasKey ? (
          <NoKey />
        ) : password === "change" ? (
          <div className="grid gap-2">
            <PasswordField
              label={t(now.password ? "newPassword" : "password")}
              hint={t(now.password ? "newPasswordHint" : "passwordHint")}
              password={draft.password}
              error={errors.password}
              onChange={(typed) => setDraft({ password: typed })}
              onLeave={() => leave("password")}
            />
            {now.password && (
              <Button look="bare" className="justify-self-start" onClick={setPassword("keep")}>
                {t("keepPassword")}
              </Button>
            )}
          </div>
        ) : (
          <KeptPassword
            isRemoved={password === "remove"}
            onChange={setPassword("change")}
            onRemove={setPassword("remove")}
            onKeep={setPassword("keep")}
          />
        )}
        <div className="grid gap-3">
          <LimitField
            hint={t("endsAfterHint")}
            limit={draft.limit}
            error={errors.limit}
            onChange={(limit) => setDraft({ limit })}
            onLeave={() => leave("limit")}
          />
          <UsedNow now={now} isBusy={isBusy} onLetGoOn={onLetGoOn} />
        </div>
        <Button type="submit" busy={isBusy}>
          {t(isBusy ? "saving" : "save")}
        </Button>
      </div>
    </form>
  );
}

function NoKey() {
  const t = useMessages("sealing");
  return <p className="text-sm text-muted">{t("noKeyForPassword")}</p>;
}

interface KeptPasswordProps {
  isRemoved: boolean;
  onChange(): void;
  onRemove(): void;
  onKeep(): void;
}

/**
 * A password that is kept or removed. The server has only the password's hash, so the form cannot show the password.
 */
function KeptPassword({ isRemoved, onChange, onRemove, onKeep }: KeptPasswordProps) {
  const t = useMessages("guards");
  return (
    <div role="group" aria-label={t("password")} className="grid gap-2">
      <p className="flex items-center gap-2">
        <LockKeyhole size={18} aria-hidden className="shrink-0 text-reed" />
        {t(isRemoved ? "isRemoved" : "hasPassword")}
      </p>
      <div className="flex flex-wrap gap-2">
        {isRemoved ? (
          <Button look="quiet" onClick={onKeep}>
            {t("keepPassword")}
          </Button>
        ) : (
          <>
            <Button look="quiet" onClick={onChange}>
              {t("changePassword")}
            </Button>
            <Button look="danger" onClick={onRemove}>
              {t("removePassword")}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}

/** How many downloads of the limit are used or running. */
function UsedNow({ now, isBusy, onLetGoOn }: { now: LinkProtectionNow; isBusy: boolean; onLetGoOn(): void }) {
  const t = useMessages("guards");
  const { maxDownloads, downloadsUsed, running, isUsedUp, isWaiting } = now;
  if (maxDownloads === null) return null;
  return (
    <div className="grid gap-2 text-sm">
      <p role="status" className="text-muted">
        {isUsedUp ? t("allUsed", { count: maxDownloads }) : t("usedNow", { used: downloadsUsed, count: maxDownloads })}{" "}
        {running > 0 && t("running", { count: running })}
      </p>
      {isWaiting && !isUsedUp && (
        <div className="grid justify-items-start gap-3 rounded-xl border border-amber bg-sunken p-3.5">
          <p>{t("waitsForYou")}</p>
          <Button look="quiet" busy={isBusy} onClick={onLetGoOn}>
            {t("letGoOn")}
          </Button>
        </div>
      )}
    </div>
  );
}

/** The edited state of a link's protection. */
export interface ProtectionEdit {
  draft: ProtectionDraft;
  /** What happens to the link's password on saving. A link without a password is never set to "keep". */
  password: "keep" | "change" | "remove";
}

export interface ProtectionWarning {
  message: MessageName<"guards"> & ("newPasswordWarning" | "removeWarning" | "endWarning");
  /** The number of downloads made so far. */
  used: number;
}

export function startEdit({ password, maxDownloads }: LinkProtectionNow): ProtectionEdit {
  const limit = maxDownloads === null ? "" : String(maxDownloads);
  return { draft: { password: "", limit }, password: password ? "keep" : "change" };
}

/** @param edit must have no errors @returns only the changed fields; empty if nothing changes */
export function changeOf({ draft, password }: ProtectionEdit, now: LinkProtectionNow): ChangeProtection {
  const maxDownloads = draft.limit === "" ? null : Number(draft.limit);
  return {
    ...(password === "remove" ? { password: null } : {}),
    ...(password === "change" && draft.password !== "" ? { password: draft.password } : {}),
    ...(maxDownloads === now.maxDownloads ? {} : { maxDownloads }),
  };
}

/** Warnings for a change that takes access away from people who have the link. */
export function warningsOf({ password, maxDownloads }: ChangeProtection, now: LinkProtectionNow): ProtectionWarning[] {
  const used = now.downloadsUsed;
  const endsLink = typeof maxDownloads === "number" && maxDownloads <= used && !now.isUsedUp;
  return [
    ...(typeof password === "string" && now.password ? [{ message: "newPasswordWarning", used } as const] : []),
    ...(password === null ? [{ message: "removeWarning", used } as const] : []),
    ...(endsLink ? [{ message: "endWarning", used } as const] : []),
  ];
}
