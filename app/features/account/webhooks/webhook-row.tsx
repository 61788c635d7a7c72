import { useMutation, useQueryClient } from "@tanstack/react-query";
import clsx from "clsx";
import { ChevronDown, KeyRound, Pencil, Power, Trash2 } from "lucide-react";
import { useId, useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { Menu, MenuItem } from "#app/ui/menu.tsx";
import { toast } from "#app/ui/toast.ts";
import type { ListedWebhook } from "#domain/wire.ts";
import { Deliveries } from "./deliveries.tsx";
import { useDate } from "../use-date.ts";
import { webhookKeys, webhooksApi } from "./webhooks-api.ts";

interface WebhookRowProps {
  webhook: ListedWebhook;
  onAsk(kind: "edit" | "rotate" | "remove"): void;
}

export function WebhookRow({ webhook, onAsk }: WebhookRowProps) {
  const t = useMessages("webhooks");
  const date = useDate();
  const queries = useQueryClient();
  const [isUnfolded, setUnfolded] = useState(false);
  const listId = useId();
  const refresh = async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: webhookKeys.webhooks, exact: true }),
      queries.invalidateQueries({ queryKey: [...webhookKeys.deliveries, webhook.id] }),
    ]);
  };
  const ping = useMutation({
    mutationFn: () => webhooksApi.ping(webhook.id),
    onSuccess: ({ state }) => {
      toast(state === "delivered" ? { title: t("pingDelivered") } : { title: t("pingFailed"), tone: "bad" });
    },
    onError: errorToast(t("sendFailed"), t("tryAgain")),
    onSettled: refresh,
  });
  const toggle = useMutation({
    mutationFn: () => webhooksApi.change(webhook.id, { enabled: !webhook.enabled }),
    onSuccess: ({ enabled }) => {
      toast({ title: t(enabled ? "switchedOn" : "switchedOff") });
    },
    onError: errorToast(t("saveFailed"), t("tryAgain")),
    onSettled: refresh,
  });
  return (
    <li className="grid gap-3 py-4">
      <div className="flex items-start justify-between gap-2">
        <div className="min-w-0">
          <p className="font-medium wrap-anywhere">{webhook.url}</p>
          <p className="mt-1 text-sm text-muted">{webhook.events.map((event) => t(event)).join(" · ")}</p>
          <p className="mt-2 flex flex-wrap items-center gap-2 text-sm text-muted">
            <WebhookState webhook={webhook} />
            {webhook.formerUntil !== null && t("formerUntil", { date: date(webhook.formerUntil) })}
          </p>
        </div>
        <Menu label={t("actions", { url: webhook.url })}>
          <MenuItem
            icon={<Pencil size={18} aria-hidden />}
            onSelect={() => {
              onAsk("edit");
            }}
          >
            {t("edit")}
          </MenuItem>
          <MenuItem
            icon={<KeyRound size={18} aria-hidden />}
            onSelect={() => {
              onAsk("rotate");
            }}
          >
            {t("rotate")}
          </MenuItem>
          {webhook.enabled && (
            <MenuItem
              icon={<Power size={18} aria-hidden />}
              onSelect={() => {
                toggle.mutate();
              }}
            >
              {t("switchOff")}
            </MenuItem>
          )}
          <MenuItem
            danger
            icon={<Trash2 size={18} aria-hidden />}
            onSelect={() => {
              onAsk("remove");
            }}
          >
            {t("remove")}
          </MenuItem>
        </Menu>
      </div>
      <div className="flex flex-wrap gap-2">
        {webhook.enabled ? (
          <Button
            look="quiet"
            busy={ping.isPending}
            onClick={() => {
              ping.mutate();
            }}
          >
            {t("sendPing")}
          </Button>
        ) : (
          <Button
            look="quiet"
            busy={toggle.isPending}
            onClick={() => {
              toggle.mutate();
            }}
          >
            {t("switchOn")}
          </Button>
        )}
        <Button
          look="quiet"
          aria-expanded={isUnfolded}
          aria-controls={listId}
          onClick={() => {
            setUnfolded(!isUnfolded);
          }}
        >
          {t("deliveries")}
          <ChevronDown size={18} aria-hidden className={clsx("transition-transform", isUnfolded && "rotate-180")} />
        </Button>
      </div>
      <div id={listId}>{isUnfolded && <Deliveries webhook={webhook} onSent={refresh} />}</div>
    </li>
  );
}

function WebhookState({ webhook }: { webhook: ListedWebhook }) {
  const t = useMessages("webhooks");
  const date = useDate();
  if (!webhook.enabled) return <Badge tone="bad">{t("off")}</Badge>;
  if (webhook.failingSince === null) return <Badge tone="good">{t("on")}</Badge>;
  return <Badge tone="warn">{t("failing", { date: date(webhook.failingSince) })}</Badge>;
}
