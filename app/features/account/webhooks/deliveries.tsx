import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { toast } from "#app/ui/toast.ts";
import type { DeliveryState, ListedDelivery, ListedWebhook } from "#domain/wire.ts";
import { ListState } from "../list-state.tsx";
import { useDate } from "../use-date.ts";
import { webhookKeys, webhooksApi } from "./webhooks-api.ts";

const TONES: Record<DeliveryState, "good" | "plain" | "bad"> = { delivered: "good", waiting: "plain", failed: "bad" };

/** What was sent in the last 30 days, newest first. */
export function Deliveries({ webhook, onSent }: { webhook: ListedWebhook; onSent(): Promise<void> }) {
  const t = useMessages("webhooks");
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [...webhookKeys.deliveries, webhook.id],
    queryFn: ({ pageParam }) => webhooksApi.deliveries(webhook.id, pageParam),
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
  const date = useDate();
  const sendAgain = useMutation({
    mutationFn: () => webhooksApi.sendAgain(webhook.id, delivery.id),
    onSuccess: ({ state }) => {
      toast(state === "delivered" ? { title: t("sentAgain") } : { title: t("sentAgainFailed"), tone: "bad" });
    },
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
          onClick={() => {
            sendAgain.mutate();
          }}
        >
          {t("sendAgain")}
        </Button>
      )}
    </li>
  );
}
