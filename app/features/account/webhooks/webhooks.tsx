import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { call } from "#app/lib/api.ts";
import { callConfirmed } from "#app/lib/confirming.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useCurrentUser } from "#app/lib/session.ts";
import { ActionQuestion } from "#app/ui/action-question.tsx";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { FormDialog } from "#app/ui/form-dialog.tsx";
import { FormCheckbox, FormChoices, FormField } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";
import { mostWebhooks } from "#domain/webhooks/url.ts";
import { WEBHOOK_EVENTS } from "#domain/webhooks/events.ts";
import { type ListedWebhook, webhookForm } from "#domain/wire.ts";
import { ListState, CopyLine } from "../card-parts.tsx";
import { useAccountForm } from "../use-account-form.ts";
import { webhookKeys, WebhookRow } from "./webhook-row.tsx";

/** The dialog that is open, with its webhook. */
type Open =
  | { kind: "add" }
  | { kind: "edit" | "rotate" | "remove"; webhook: ListedWebhook }
  | { kind: "secret"; secret: string; isNew: boolean };

export function Webhooks() {
  const t = useMessages("webhooks");
  const queries = useQueryClient();
  const plan = useCurrentUser()?.planType ?? "free";
  const [open, setOpen] = useState<Open | null>(null);
  const query = useQuery({ queryKey: webhookKeys.webhooks, queryFn: () => call("GET /api/webhooks") });
  const webhooks = query.data;
  const most = mostWebhooks(plan);
  const close = () => setOpen(null);
  const change = async (next: Open | null = null) => {
    await queries.invalidateQueries({ queryKey: webhookKeys.webhooks });
    setOpen(next);
  };
  const showSecret = (isNew: boolean) => (secret: string) => change({ kind: "secret", secret, isNew });
  const list = useRef<HTMLUListElement>(null);
  const buttonOfLast = () => list.current?.querySelector<HTMLElement>("li:last-child button") ?? null;
  return (
    <Card>
      <h2 className="text-lg font-medium">{t("title")}</h2>
      <p className="mt-1 mb-2 text-muted">{t("help")}</p>
      <ListState error={query.error} onRetry={query.refetch} isLoading={!webhooks} />
      {webhooks?.length === 0 && <p className="py-3 text-muted">{t("none")}</p>}
      <ul ref={list} className="divide-y divide-line">
        {webhooks?.map((webhook) => (
          <WebhookRow key={webhook.id} webhook={webhook} onAsk={(kind) => setOpen({ kind, webhook })} />
        ))}
      </ul>
      {webhooks && webhooks.length < most && (
        <Button className="mt-3" onClick={() => setOpen({ kind: "add" })}>
          {t("add")}
        </Button>
      )}
      {webhooks && webhooks.length >= most && <p className="mt-3 text-sm text-muted">{t("full", { count: most })}</p>}
      {open?.kind === "add" && (
        <WebhookDialog webhook={null} onSaved={change} onSecret={showSecret(true)} onClose={close} />
      )}
      {open?.kind === "edit" && (
        <WebhookDialog webhook={open.webhook} onSaved={change} onSecret={showSecret(false)} onClose={close} />
      )}
      {open?.kind === "rotate" && (
        <ActionQuestion
          title={t("rotateTitle")}
          text={t("rotateText")}
          yes={t("rotateYes")}
          no={t("cancel")}
          look="primary"
          run={() => callConfirmed("POST /api/webhooks/:id/rotate", { params: { id: open.webhook.id } })}
          onSuccess={({ secret }) => showSecret(false)(secret)}
          onError={errorToast(t("rotateFailed"), t("tryAgain"))}
          onClose={close}
        />
      )}
      {open?.kind === "remove" && (
        <ActionQuestion
          title={t("removeTitle")}
          text={t("removeText", { url: open.webhook.url })}
          yes={t("removeYes")}
          no={t("cancel")}
          run={() => call("DELETE /api/webhooks/:id", { params: { id: open.webhook.id } })}
          onSuccess={() => {
            toast({ title: t("removed") });
            return change();
          }}
          onError={errorToast(t("removeFailed"), t("tryAgain"))}
          onClose={close}
        />
      )}
      {open?.kind === "secret" && (
        // After the last webhook that the plan allows, the button that adds one is gone and cannot take the focus.
        <SecretDialog secret={open.secret} onClose={close} {...(open.isNew && { focusAfter: buttonOfLast })} />
      )}
    </Card>
  );
}

interface WebhookDialogProps {
  /** Null for a new webhook. */
  webhook: ListedWebhook | null;
  onSaved(): Promise<void>;
  onSecret(secret: string): Promise<void>;
  onClose(): void;
}

function WebhookDialog({ webhook, onSaved, onSecret, onClose }: WebhookDialogProps) {
  const t = useMessages("webhooks");
  const { field, ...form } = useAccountForm(webhookForm, {
    onError: errorToast(t("saveFailed"), t("tryAgain")),
    send: async (values) => {
      if (!webhook) {
        const { secret } = await callConfirmed("POST /api/webhooks", { body: values });
        await onSecret(secret);
        return;
      }
      await callConfirmed("PATCH /api/webhooks/:id", { params: { id: webhook.id }, body: values });
      toast({ title: t("saved") });
      await onSaved();
    },
  });
  return (
    <FormDialog
      title={t(webhook ? "editTitle" : "addTitle")}
      description={t("dialogHelp")}
      button={[t("save"), t("saving")]}
      onClose={onClose}
      {...form}
    >
      <FormField
        label={t("url")}
        hint={t("urlHint")}
        type="url"
        autoComplete="off"
        defaultValue={webhook?.url}
        {...field("url")}
      />
      <FormChoices legend={t("events")} error={form.errors.events}>
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
    </FormDialog>
  );
}

interface SecretDialogProps {
  secret: string;
  focusAfter?(): HTMLElement | null;
  onClose(): void;
}

/** Shows a webhook's secret, once. */
function SecretDialog({ secret, ...others }: SecretDialogProps) {
  const t = useMessages("webhooks");
  return (
    <Dialog title={t("secretTitle")} description={t("secretHelp")} {...others}>
      <div className="grid gap-4">
        <CopyLine label={t("secret")} value={secret} />
        <Button onClick={others.onClose}>{t("done")}</Button>
      </div>
    </Dialog>
  );
}
