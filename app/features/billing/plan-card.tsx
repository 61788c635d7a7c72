import { Link } from "@remix-run/react";
import clsx from "clsx";
import { CalendarClock, Check, Files, FileUp, HardDriveUpload, Repeat, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { formatPrice } from "#app/lib/i18n/formats.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { Day } from "#app/ui/moments.tsx";
import { formatBytes } from "#domain/units.ts";
import type { ListedLimits, ListedPlan } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";

/** How a plan relates to the viewer's current plan. */
export type PlanStatus =
  | { kind: "available"; label: "startForFree" | "choosePlan" | "upgradeTo" | "downgradeTo" }
  | { kind: "current"; hasSubscription: boolean }
  | { kind: "ending"; endsAt: string }
  | { kind: "scheduled"; startsAt: string };

interface PlanCardProps {
  plan: ListedPlan;
  status: PlanStatus;
  isRecommended: boolean;
  /** Whether this card's plan is being chosen. `disabled` is true while any plan is being chosen. */
  isPending: boolean;
  disabled: boolean;
  onChoose(): void;
}

/** The card of one plan. Cards in one row share a subgrid, so that their sections align. */
export function PlanCard(props: PlanCardProps) {
  const t = useMessages("pricing");
  const { plan, status, isRecommended } = props;
  const { id, name, description, price, features } = plan;
  const isCurrent = status.kind === "current" || status.kind === "ending";
  return (
    <article
      aria-labelledby={`plan-${id}`}
      aria-current={isCurrent ? "true" : undefined}
      className={clsx(
        "grid content-start rounded-3xl border bg-surface p-6 sm:p-8 lg:row-span-5 lg:grid-rows-subgrid lg:gap-y-0",
        isRecommended
          ? "border-reed shadow-[0_1px_2px_rgb(0_0_0/.06),0_24px_60px_-20px_rgb(0_0_0/.28)]"
          : "border-line shadow-[0_1px_2px_rgb(0_0_0/.04)]",
      )}
    >
      <div>
        <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <h2 id={`plan-${id}`} className="font-display text-2xl font-semibold">
            {name}
          </h2>
          {isCurrent ? <Badge solid>{t("currentPlan")}</Badge> : isRecommended && <Badge>{t("recommended")}</Badge>}
        </div>
        <p className="mt-1 text-muted">{description}</p>
      </div>
      <p className="mt-6 flex items-baseline gap-2">
        <span className="font-display text-5xl leading-none font-semibold tracking-tight tabular-nums">
          {formatPrice(price, t.locale)}
        </span>
        <span className="text-muted">{t("aMonth")}</span>
      </p>
      <div className="mt-6">
        <PlanAction {...props} />
      </div>
      <Limits limits={plan.limits} />
      <ul className="mt-6 grid content-start gap-2.5 border-t border-line pt-6 text-sm">
        {features.map((feature) => (
          <li key={feature} className="flex gap-2.5">
            <Check size={18} aria-hidden className="mt-px shrink-0 text-reed" />
            {feature}
          </li>
        ))}
      </ul>
    </article>
  );
}

function Limits({ limits }: { limits: ListedLimits }) {
  const t = useMessages("pricing");
  const tExpiration = useMessages("expirations");
  return (
    <dl className="mt-7 grid gap-3 border-t border-line pt-6">
      <Limit icon={FileUp} label={t("largestFile")}>
        {formatBytes(limits.fileSize, t.locale)}
      </Limit>
      <Limit icon={Files} label={t("filesATransfer")}>
        {limits.entries.toLocaleString(t.locale)}
      </Limit>
      <Limit icon={HardDriveUpload} label={t("storageAMonth")}>
        {formatBytes(limits.storage, t.locale)}
      </Limit>
      <Limit icon={Repeat} label={t("transfersAMonth")}>
        {limits.transfers.toLocaleString(t.locale)}
      </Limit>
      <Limit icon={CalendarClock} label={t("longestExpiry")}>
        {tExpiration(limits.maxExpiry)}
      </Limit>
    </dl>
  );
}

function Badge({ solid = false, children }: { solid?: boolean; children: string }) {
  return (
    <span
      className={clsx(
        "rounded-full px-3 py-1 text-xs font-medium whitespace-nowrap",
        solid ? "bg-reed text-on-reed" : "border border-reed text-reed",
      )}
    >
      {children}
    </span>
  );
}

function Limit({ icon: Icon, label, children }: { icon: LucideIcon; label: string; children: ReactNode }) {
  return (
    <div className="flex items-center gap-3">
      <Icon size={18} aria-hidden className="shrink-0 text-muted" />
      <dt className="flex-1 text-sm text-muted">{label}</dt>
      <dd className="font-medium tabular-nums">{children}</dd>
    </div>
  );
}

/** A fixed height keeps the page still when the plan changes, and aria-disabled keeps the keyboard focus. */
function PlanAction({ plan, status, isRecommended, isPending, disabled, onChoose }: PlanCardProps) {
  const t = useMessages("pricing");
  if (status.kind === "scheduled") {
    return (
      <p className="flex min-h-11 items-center justify-center rounded-xl bg-sunken px-4 text-center text-sm">
        <span>{t.rich("yoursFrom", { day: () => <Day key="day" moment={status.startsAt} /> })}</span>
      </p>
    );
  }
  if (status.kind === "current" && status.hasSubscription) {
    return (
      <Link to="/dashboard#subscription" className={buttonClass("quiet", true)}>
        {t("managePlan")}
      </Link>
    );
  }
  return (
    <>
      <Button
        wide
        look={isRecommended ? "primary" : "quiet"}
        busy={isPending}
        aria-disabled={disabled}
        onClick={() => {
          if (!disabled) onChoose();
        }}
      >
        {isPending ? t("oneMoment") : actionLabel(plan, status, t)}
      </Button>
      {status.kind === "ending" && (
        <p className="mt-2 text-center text-sm text-muted">
          {t.rich("endsOn", { day: () => <Day key="day" moment={status.endsAt} /> })}
        </p>
      )}
    </>
  );
}

function actionLabel({ name }: ListedPlan, status: PlanStatus, t: Translate<"pricing">): string {
  if (status.kind === "available") return t(status.label, { plan: name });
  return status.kind === "ending" ? t("keepPlan", { plan: name }) : t("currentPlan");
}
