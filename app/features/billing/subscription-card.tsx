import { Link } from "@remix-run/react";
import { ExternalLink, LifeBuoy, RotateCw } from "lucide-react";
import { useCurrentPlan, useManualRefresh } from "#app/features/billing/current-plan.ts";
import { usePortal } from "#app/features/billing/use-portal.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { Day } from "#app/ui/moments.tsx";
import { ProgressBar } from "#app/ui/progress-bar.tsx";
import { isFree, planOf } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";
import { LIVE_STATUSES, type CurrentPlan } from "#domain/wire.ts";

interface SubscriptionCardProps {
  /** The plan that the page's loader has read; null if the loader could not read the plan. */
  loaded: CurrentPlan | null;
  /** True from a payment until the paid plan is active. */
  awaitingPlan: boolean;
}

export function SubscriptionCard({ loaded, awaitingPlan }: SubscriptionCardProps) {
  const t = useMessages("billing");
  const { data: plan, error, isFetching, refetch } = useCurrentPlan(loaded);
  const { busy, refresh } = useManualRefresh();
  return (
    <Card>
      <div id="subscription" className="flex scroll-mt-6 items-center justify-between gap-3">
        <h2 className="text-lg font-medium">{t("yourSubscription")}</h2>
        <Button
          look="bare"
          className="-my-2 px-3!"
          aria-label={t("refresh")}
          title={t("refresh")}
          busy={busy}
          onClick={refresh}
        >
          <RotateCw size={18} aria-hidden className={busy ? "animate-spin" : ""} />
        </Button>
      </div>
      {error && (
        <div
          role="alert"
          className="mt-4 grid justify-items-start gap-3 rounded-xl border border-danger bg-sunken p-3.5 text-sm"
        >
          <p className="font-medium">{t("loadFailed")}</p>
          <Button look="quiet" disabled={isFetching} onClick={() => void refetch()}>
            {t("retry")}
          </Button>
        </div>
      )}
      {plan ? (
        <PlanDetails plan={plan} awaitingPlan={awaitingPlan} />
      ) : (
        !error && <p className="mt-4 min-h-96 text-muted">{t("loading")}</p>
      )}
    </Card>
  );
}

function PlanDetails({ plan, awaitingPlan }: { plan: CurrentPlan; awaitingPlan: boolean }) {
  const t = useMessages("billing");
  const { planName, planType, limits, usage, subscription } = plan;
  const statusMessage = STATUS_MESSAGES[subscription.status];
  const renewalValues = { day: () => <Day key="day" moment={subscription.currentPeriodEnd} /> };
  const isActive = LIVE_STATUSES.includes(subscription.status);
  return (
    <div className="mt-4 grid gap-5">
      <div>
        <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <span className="font-display text-3xl font-semibold">{planName}</span>
          <span className={`flex items-center gap-1.5 text-sm font-medium ${isActive ? "text-reed" : "text-danger"}`}>
            <span aria-hidden className="size-2 rounded-full bg-current" />
            {t(isActive ? "active" : "inactive")}
          </span>
        </p>
        {subscription.cancelAtPeriodEnd && <p className="mt-1 text-sm font-medium text-muted">{t("cancelsAtEnd")}</p>}
        {planOf(planType).extras.includes("prioritySupport") && (
          <p className="mt-2 inline-flex items-center gap-1.5 rounded-full border border-reed px-3 py-1 text-xs font-medium text-reed">
            <LifeBuoy size={14} aria-hidden />
            {t("prioritySupport")}
          </p>
        )}
      </div>
      {awaitingPlan && (
        <p role="status" className="rounded-xl border border-amber bg-sunken p-3.5 text-sm">
          {t("beingConfirmed")}
        </p>
      )}
      {!awaitingPlan && statusMessage !== undefined && (
        <p role="status" className="rounded-xl border border-danger bg-sunken p-3.5 text-sm">
          {t(statusMessage)}
        </p>
      )}
      <UsageBar
        label={t("storage")}
        colors="storage"
        used={usage.storageUsed}
        max={limits.storage}
        format={(sizeBytes) => formatBytes(sizeBytes, t.locale)}
      />
      <UsageBar
        label={t("transfers")}
        colors="transfers"
        used={usage.transferCount}
        max={limits.transfers}
        format={(count) => count.toLocaleString(t.locale)}
      />
      <p className="text-sm text-muted">
        {t.rich("resetsOn", renewalValues)}
        {subscription.cancelAtPeriodEnd && ` ${t("endsThen", { plan: planName })}`}
      </p>
      <PlanActions plan={plan} />
    </div>
  );
}

const STATUS_MESSAGES: Partial<Record<string, "pastDue" | "unpaid" | "incomplete" | "paused">> = {
  past_due: "pastDue",
  unpaid: "unpaid",
  incomplete: "incomplete",
  paused: "paused",
};

function PlanActions({ plan }: { plan: CurrentPlan }) {
  const t = useMessages("billing");
  const portal = usePortal(plan.planType);
  const isPaying = plan.hasSubscription || !isFree(plan.planType);
  return (
    <div className="grid gap-2.5 border-t border-line pt-5">
      {isPaying && (
        <Button busy={portal.busy} onClick={portal.open}>
          {t(portal.busy ? "opening" : "manageBilling")}
        </Button>
      )}
      <Link to="/pricing" className={buttonClass(isPaying ? "quiet" : "primary")}>
        {t(isFree(plan.planType) ? "upgrade" : "changePlan")}
      </Link>
      {portal.fallbackUrl !== null && (
        <p role="status" className="text-sm">
          {t("nothingOpened")}{" "}
          <a href={portal.fallbackUrl} className="font-medium text-reed underline underline-offset-4">
            {t("openHere")} <ExternalLink size={14} aria-hidden className="inline" />
          </a>
        </p>
      )}
      <Link to="/account/billing-history" className={buttonClass("bare")}>
        {t("billingHistory")}
      </Link>
    </div>
  );
}

/** Above these percentages the usage bar changes colour (decision 024). */
const WARN_ABOVE_PERCENT = 75;
const CRITICAL_ABOVE_PERCENT = 90;

const COLORS = {
  storage: { normal: "bg-storage", warning: "bg-storage-warn", critical: "bg-storage-full" },
  transfers: { normal: "bg-transfers", warning: "bg-transfers-warn", critical: "bg-transfers-full" },
} as const;

/** A text repeats the bar's colour, because not everybody sees colours. */
const LEVEL_MESSAGES = { warning: "littleLeft", critical: "almostUsedUp" } as const;

interface UsageBarProps {
  label: string;
  colors: keyof typeof COLORS;
  used: number;
  max: number;
  format(amount: number): string;
}

function UsageBar({ label, colors, used, max, format }: UsageBarProps) {
  const t = useMessages("billing");
  const percent = Math.min(100, (used / max) * 100);
  const level = percent > CRITICAL_ABOVE_PERCENT ? "critical" : percent > WARN_ABOVE_PERCENT ? "warning" : "normal";
  const text = t("usedOf", { used: format(used), max: format(max) });
  return (
    <div className="grid gap-1.5">
      <p className="flex justify-between gap-3 text-sm">
        <span className="font-medium">{label}</span>
        <span className="text-muted tabular-nums">{text}</span>
      </p>
      <ProgressBar
        label={label}
        percent={percent}
        text={text}
        colors={`transition-transform ${COLORS[colors][level]}`}
      />
      {level !== "normal" && <p className="text-sm text-muted">{t(used >= max ? "usedUp" : LEVEL_MESSAGES[level])}</p>}
    </div>
  );
}
