import { useMutation, useQueryClient, useInfiniteQuery } from "@tanstack/react-query";
import clsx from "clsx";
import { ChevronDown, KeyRound, Pencil, Power, Trash2 } from "lucide-react";
import { useId, useState } from "react";
import { call } from "#app/lib/api.ts";
import { callConfirmed } from "#app/lib/confirming.ts";
import { useMoment } from "#app/lib/i18n/formats.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { Menu, MenuItem } from "#app/ui/menu.tsx";
import { toast } from "#app/ui/toast.ts";
import type { ListedWebhook, DeliveryState, ListedDelivery } from "#domain/wire.ts";
import { ListState } from "../card-parts.tsx";

export const webhookKeys = {
  webhooks: ["/api/webhooks"],
  /** The prefix of the query keys of deliveries, followed by a webhook's id. */
  deliveries: ["/api/webhooks/deliveries"],
} as const;

interface WebhookRowProps {
  webhook: ListedWebhook;
  onAsk(kind: "edit" | "rotate" | "remove"): void;
}

export function WebhookRow({ webhook, onAsk }: WebhookRowProps) {
  const t = useMessages("webhooks");
  const date = useMoment();
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
    mutationFn: () => call("POST /api/webhooks/:id/ping", { params: { id: webhook.id } }),
    onSuccess: ({ state }) =>
      toast(state === "delivered" ? { title: t("pingDelivered") } : { title: t("pingFailed"), tone: "bad" }),
    onError: errorToast(t("sendFailed"), t("tryAgain")),
    onSettled: refresh,
  });
  const toggle = useMutation({
    mutationFn: () =>
      callConfirmed("PATCH /api/webhooks/:id", { params: { id: webhook.id }, body: { enabled: !webhook.enabled } }),
    onSuccess: ({ enabled }) => toast({ title: t(enabled ? "switchedOn" : "switchedOff") }),
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
          <MenuItem icon={Pencil} onSelect={() => onAsk("edit")}>
            {t("edit")}
          </MenuItem>
          <MenuItem icon={KeyRound} onSelect={() => onAsk("rotate")}>
            {t("rotate")}
          </MenuItem>
          {webhook.enabled && (
            <MenuItem icon={Power} onSelect={() => toggle.mutate()}>
              {t("switchOff")}
            </MenuItem>
          )}
          <MenuItem danger icon={Trash2} onSelect={() => onAsk("remove")}>
            {t("remove")}
          </MenuItem>
        </Menu>
      </div>
      <div className="flex flex-wrap gap-2">
        {webhook.enabled ? (
          <Button look="quiet" busy={ping.isPending} onClick={() => ping.mutate()}>
            {t("sendPing")}
          </Button>
        ) : (
          <Button look="quiet" busy={toggle.isPending} onClick={() => toggle.mutate()}>
            {t("switchOn")}
          </Button>
        )}
        <Button look="quiet" aria-expanded={isUnfolded} aria-controls={listId} onClick={() => setUnfolded(!isUnfolded)}>
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
  const date = useMoment();
  if (!webhook.enabled) return <Badge tone="bad">{t("off")}</Badge>;
  if (webhook.failingSince === null) return <Badge tone="good">{t("on")}</Badge>;
  return <Badge tone="warn">{t("failing", { date: date(webhook.failingSince) })}</Badge>;
}

const TONES: Record<DeliveryState, "good" | "plain" | "bad"> = { delivered: "good", waiting: "plain", failed: "bad" };

/** Lists the deliveries of the last 30 days, newest first. */
function Deliveries({ webhook, onSent }: { webhook: ListedWebhook; onSent(): Promise<void> }) {
  const t = useMessages("webhooks");
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [...webhookKeys.deliveries, webhook.id],
    queryFn: ({ pageParam }) =>
      call("GET /api/webhooks/:id/deliveries", {
        params: { id: webhook.id },
        query: pageParam === null ? {} : { cursor: pageParam },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
  const deliveries = data?.pages.flatMap(({ items }) => items) ?? [];
  if (error || !data) return <ListState error={error} onRetry={refetch} isLoading />;
  if (deliveries.length === 0) return <p className="py-3 text-muted">{t("noDeliveries")}</p>;
  return (
    <>
      <ul className="divide-y divide-line rounded-2xl border border-line px-4">
        {deliveries.map((delivery) => (
          <DeliveryRow key={delivery.id} webhook={webhook} delivery={delivery} onSent={onSent} />
        ))}
      </ul>
      {hasNextPage && (
        <Button look="quiet" className="mt-3" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t("older")}
        </Button>
      )}
    </>
  );
}

interface DeliveryRowProps {
  webhook: ListedWebhook;
  delivery: ListedDelivery;
  onSent(): Promise<void>;
}

function DeliveryRow({ webhook, delivery, onSent }: DeliveryRowProps) {
  const t = useMessages("webhooks");
  const date = useMoment();
  const sendAgain = useMutation({
    mutationFn: () =>
      call("POST /api/webhooks/:id/deliveries/:deliveryId/retry", {
        params: { id: webhook.id, deliveryId: delivery.id },
      }),
    onSuccess: ({ state }) =>
      toast(state === "delivered" ? { title: t("sentAgain") } : { title: t("sentAgainFailed"), tone: "bad" }),
    onError: errorToast(t("sendFailed"), t("tryAgain")),
    onSettled: onSent,
  });
  const event = t(delivery.type);
  const details = [
    date(delivery.createdAt),
    delivery.attempts > 0 && t("tries", { count: delivery.attempts }),
    delivery.lastStatus !== null && t("status", { status: String(delivery.lastStatus) }),
    delivery.lastError !== null && t(`error_${delivery.lastError}`),
    delivery.nextAttemptAt !== null && t("nextTry", { date: date(delivery.nextAttemptAt) }),
  ].filter((text) => text !== false);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {event}
          <Badge tone={TONES[delivery.state]}>{t(`state_${delivery.state}`)}</Badge>
        </p>
        <p className="mt-1 text-sm break-words text-muted">{details.join(" · ")}</p>
      </div>
      {webhook.enabled && (
        <Button
          look="quiet"
          busy={sendAgain.isPending}
          aria-label={t("sendAgainOf", { event, date: date(delivery.createdAt) })}
          onClick={() => sendAgain.mutate()}
        >
          {t("sendAgain")}
        </Button>
      )}
    </li>
  );
}
