import { useRevalidator } from "@remix-run/react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useForm } from "#app/lib/use-form.ts";
import { FormDialog } from "#app/ui/form-dialog.tsx";
import { FormChoices, FormRadio, FormTextArea } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";
import { REASON_MAX_LENGTH, suspendRequest, type SuspendRequest } from "#domain/wire.ts";
import type { MessageName } from "#messages/messages.ts";
import { adminErrorToast, useAdminErrorHandler } from "./admin-changes.ts";

const TEXTS = {
  suspend: { title: "suspendTitle", help: "suspendHelp", yes: "suspend", pending: "suspending" },
  "take-down": { title: "takeDownTitle", help: "takeDownHelp", yes: "take-down", pending: "takingDown" },
} as const;

interface DecisionDialogProps {
  action: keyof typeof TEXTS;
  /** The account's address. "" for a visitor. */
  email: string;
  /** The message with which the reason begins. Null for an empty reason. */
  reason: MessageName<"queue"> | null;
  /** Whether the file is kept for the authorities. */
  isKept?: boolean;
  send(decided: SuspendRequest): Promise<unknown>;
  onDone?(): void;
  onClose(): void;
}

const GROUNDS = [
  ["terms", "groundTerms"],
  ["law", "groundLaw"],
] as const;

/** Asks for the reason of a decision. The owner is mailed the reason, and may object. */
export function DecisionDialog({ action, email, reason, isKept = false, send, onDone, onClose }: DecisionDialogProps) {
  const t = useMessages("queue");
  const tAdmin = useMessages("admin");
  const { revalidate } = useRevalidator();
  const texts = TEXTS[action];
  const { field, ...form } = useForm(suspendRequest, {
    onError: useAdminErrorHandler(adminErrorToast(t("failed"), t("failedHelp"))),
    send: async (decided) => {
      await send(decided);
      revalidate();
      toast({ title: t("done"), description: email });
      onClose();
      onDone?.();
    },
  });
  return (
    <FormDialog
      title={t(texts.title, { email })}
      description={t(isKept && action === "take-down" ? "takeDownKeptHelp" : texts.help)}
      button={[t(texts.yes), t(texts.pending)]}
      look="danger"
      no={tAdmin("cancel")}
      onClose={onClose}
      {...form}
    >
      <FormTextArea
        label={t("reason")}
        rows={3}
        maxLength={REASON_MAX_LENGTH}
        hint={t("reasonHelp")}
        defaultValue={reason === null ? "" : t.named(reason)}
        {...field("reason")}
      />
      <FormChoices legend={t("ground")}>
        {GROUNDS.map(([value, name]) => (
          <FormRadio key={value} name="ground" value={value} defaultChecked={value === "terms"}>
            {t(name)}
          </FormRadio>
        ))}
      </FormChoices>
    </FormDialog>
  );
}
