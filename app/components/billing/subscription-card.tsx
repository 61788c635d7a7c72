import { Link } from "@remix-run/react";
import { ExternalLink, LifeBuoy, RotateCw } from "lucide-react";
import { useCurrentPlan } from "#app/billing/current-plan.ts";
import { useRefreshByHand } from "#app/billing/refresh.ts";
import { usePortal } from "#app/billing/use-portal.ts";
import { useMessages } from "#app/messages/messages.ts";
import { isFree, planOf } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";
import { LIVE_STATUSES, type CurrentPlan } from "#domain/wire.ts";
import { DayOf } from "../day-of.tsx";
import { Button, buttonClass } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { UsageBar } from "./usage-bar.tsx";

interface SubscriptionCardProps {
  /** As the page came with it; null when it could not be read. */
  loaded: CurrentPlan | null;
  /** Whether a payment was made whose plan has not come yet. */
  awaitingPlan: boolean;
}

/** The dashboard's card: the plan, what this month has taken of it, and how it is managed. */
export function SubscriptionCard({ loaded, awaitingPlan }: SubscriptionCardProps) {
  const say = useMessages("billing");
  const { data: plan, error, isFetching, refetch } = useCurrentPlan(loaded);
  const { busy, refresh } = useRefreshByHand();
  return (
    <Card>
      <div id="subscription" className="flex scroll-mt-6 items-center justify-between gap-3">
        <h2 className="text-lg font-medium">{say("yourSubscription")}</h2>
        <Button
          look="bare"
          className="-my-2 px-3!"
          aria-label={say("refresh")}
          title={say("refresh")}
          disabled={busy}
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
          <p className="font-medium">{say("loadFailed")}</p>
          <Button look="quiet" disabled={isFetching} onClick={() => void refetch()}>
            {say("retry")}
          </Button>
        </div>
      )}
      {plan ? (
        <Details plan={plan} awaitingPlan={awaitingPlan} />
      ) : (
        !error && <p className="mt-4 min-h-96 text-muted">{say("loading")}</p>
      )}
    </Card>
  );
}

function Details({ plan, awaitingPlan }: { plan: CurrentPlan; awaitingPlan: boolean }) {
  const say = useMessages("billing");
  const { planName, planType, limits, usage, subscription } = plan;
  const trouble = TROUBLE[subscription.status];
  const startsAgain = { day: () => <DayOf key="day" moment={subscription.currentPeriodEnd} /> };
  const isActive = LIVE_STATUSES.includes(subscription.status);
  return (
    <div className="mt-4 grid gap-5">
      <div>
        <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <span className="font-display text-3xl font-semibold">{planName}</span>
          <span className={`flex items-center gap-1.5 text-sm font-medium ${isActive ? "text-reed" : "text-danger"}`}>
            <span aria-hidden className="size-2 rounded-full bg-current" />
            {say(isActive ? "active" : "inactive")}
          </span>
        </p>
        {subscription.cancelAtPeriodEnd && <p className="mt-1 text-sm font-medium text-muted">{say("cancelsAtEnd")}</p>}
        {planOf(planType).extras.includes("prioritySupport") && (
          <p className="mt-2 inline-flex items-center gap-1.5 rounded-full border border-reed px-3 py-1 text-xs font-medium text-reed">
            <LifeBuoy size={14} aria-hidden />
            {say("prioritySupport")}
          </p>
        )}
      </div>
      {awaitingPlan && (
        <p role="status" className="rounded-xl border border-amber bg-sunken p-3.5 text-sm">
          {say("beingConfirmed")}
        </p>
      )}
      {!awaitingPlan && trouble !== undefined && (
        <p role="status" className="rounded-xl border border-danger bg-sunken p-3.5 text-sm">
          {say(trouble)}
        </p>
      )}
      <UsageBar
        label={say("storage")}
        colors="storage"
        used={usage.storageUsed}
        most={limits.storage}
        format={(sizeBytes) => formatBytes(sizeBytes, say.locale)}
      />
      <UsageBar
        label={say("transfers")}
        colors="transfers"
        used={usage.transferCount}
        most={limits.transfers}
        format={(count) => count.toLocaleString(say.locale)}
      />
      <p className="text-sm text-muted">
        {say.rich("startAgain", startsAgain)}
        {subscription.cancelAtPeriodEnd && ` ${say("endsThen", { plan: planName })}`}
      </p>
      <Manage plan={plan} />
    </div>
  );
}

/** What to do about a subscription in that state, as Stripe names it. */
const TROUBLE: Partial<Record<string, "pastDue" | "unpaid" | "incomplete" | "paused">> = {
  past_due: "pastDue",
  unpaid: "unpaid",
  incomplete: "incomplete",
  paused: "paused",
};

function Manage({ plan }: { plan: CurrentPlan }) {
  const say = useMessages("billing");
  const portal = usePortal(plan.planType);
  const pays = plan.hasSubscription || !isFree(plan.planType);
  return (
    <div className="grid gap-2.5 border-t border-line pt-5">
      {pays && (
        <Button disabled={portal.busy} onClick={portal.open}>
          {say(portal.busy ? "opening" : "manageBilling")}
        </Button>
      )}
      <Link to="/pricing" className={buttonClass(pays ? "quiet" : "primary")}>
        {say(isFree(plan.planType) ? "upgrade" : "changePlan")}
      </Link>
      {portal.fallbackUrl !== null && (
        <p role="status" className="text-sm">
          {say("nothingOpened")}{" "}
          <a href={portal.fallbackUrl} className="font-medium text-reed underline underline-offset-4">
            {say("openHere")} <ExternalLink size={14} aria-hidden className="inline" />
          </a>
        </p>
      )}
      <Link to="/account/billing-history" className={buttonClass("bare")}>
        {say("billingHistory")}
      </Link>
    </div>
  );
}
