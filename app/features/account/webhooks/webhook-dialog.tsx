import { useMessages } from "#app/lib/i18n/messages.ts";
import { useAtWork } from "#app/lib/use-at-work.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { FormCheckbox } from "#app/ui/form-checkbox.tsx";
import { FormChoices, FormField } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";
import { WEBHOOK_EVENTS } from "#domain/webhooks/events.ts";
import { webhookForm, type ListedWebhook } from "#domain/wire.ts";
import { useAccountForm } from "../use-account-form.ts";
import { webhooksApi } from "./webhooks-api.ts";

interface WebhookDialogProps {
  /** Null for a new one. */
  webhook: ListedWebhook | null;
  onSaved(): Promise<void>;
  onSecret(secret: string): Promise<void>;
  onClose(): void;
}

/** Adds a webhook or changes one. */
export function WebhookDialog({ webhook, onSaved, onSecret, onClose }: WebhookDialogProps) {
  const t = useMessages("webhooks");
  const { errors, busy, onSubmit } = useAccountForm(webhookForm, {
    onError: errorToast(t("saveFailed"), t("tryAgain")),
    send: async (values) => {
      if (!webhook) {
        const { secret } = await webhooksApi.create(values);
        await onSecret(secret);
        return;
      }
      await webhooksApi.change(webhook.id, values);
      toast({ title: t("saved") });
      await onSaved();
    },
  });
  const isAtWork = useAtWork(busy);
  return (
    <Dialog title={t(webhook ? "editTitle" : "addTitle")} description={t("dialogHelp")} onClose={onClose}>
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        <FormField
          label={t("url")}
          hint={t("urlHint")}
          name="url"
          type="url"
          autoComplete="off"
          defaultValue={webhook?.url}
          error={errors.url}
        />
        <FormChoices legend={t("events")} error={errors.events}>
          {WEBHOOK_EVENTS.map((event) => (
            <FormCheckbox
              key={event}
              name={event}
              defaultChecked={webhook ? webhook.events.includes(event) : event === "transfer.uploaded"}
            >
              {t(event)}
            </FormCheckbox>
          ))}
        </FormChoices>
        <Button type="submit" busy={isAtWork}>
          {t(isAtWork ? "saving" : "save")}
        </Button>
      </form>
    </Dialog>
  );
}
