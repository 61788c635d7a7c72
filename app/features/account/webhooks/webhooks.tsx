import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useCurrentUser } from "#app/lib/session.ts";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { mostWebhooks } from "#domain/webhooks/most-webhooks.ts";
import type { ListedWebhook } from "#domain/wire.ts";
import { ListState } from "../list-state.tsx";
import { DeleteWebhook, RotateSecret } from "./webhook-questions.tsx";
import { WebhookDialog } from "./webhook-dialog.tsx";
import { WebhookRow } from "./webhook-row.tsx";
import { SecretDialog } from "./secret-dialog.tsx";
import { webhookKeys, webhooksApi } from "./webhooks-api.ts";

/** What is open above the list. */
type Open =
  | { kind: "add" }
  | { kind: "edit" | "rotate" | "remove"; webhook: ListedWebhook }
  | { kind: "secret"; secret: string; isNew: boolean };

export function Webhooks() {
  const t = useMessages("webhooks");
  const queries = useQueryClient();
  const plan = useCurrentUser()?.planType ?? "free";
  const [open, setOpen] = useState<Open | null>(null);
  const { data: webhooks, error, refetch } = useQuery({ queryKey: webhookKeys.webhooks, queryFn: webhooksApi.list });
  const most = mostWebhooks(plan);
  const close = () => {
    setOpen(null);
  };
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
      <ListState error={error} onRetry={refetch} isLoading={!webhooks} />
      {webhooks?.length === 0 && <p className="py-3 text-muted">{t("none")}</p>}
      <ul ref={list} className="divide-y divide-line">
        {webhooks?.map((webhook) => (
          <WebhookRow
            key={webhook.id}
            webhook={webhook}
            onAsk={(kind) => {
              setOpen({ kind, webhook });
            }}
          />
        ))}
      </ul>
      {webhooks && webhooks.length < most && (
        <Button
          className="mt-3"
          onClick={() => {
            setOpen({ kind: "add" });
          }}
        >
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
      {open?.kind === "rotate" && <RotateSecret webhook={open.webhook} onSecret={showSecret(false)} onClose={close} />}
      {open?.kind === "remove" && <DeleteWebhook webhook={open.webhook} onDeleted={change} onClose={close} />}
      {open?.kind === "secret" && (
        // With the last webhook that the plan has, the button that adds is gone.
        <SecretDialog secret={open.secret} onClose={close} {...(open.isNew && { focusAfter: buttonOfLast })} />
      )}
    </Card>
  );
}
