import { EXPIRATIONS, inSentence, isWithin } from "#domain/expiry.ts";
import type { Locale } from "#domain/locale.ts";
import { PLANS, type Plan, type PlanLimits } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";
import type { ListedPlan } from "#domain/wire.ts";
import type { ListedLimits } from "#domain/wire/billing.ts";
import { translatorFor } from "#messages/compiled.ts";
import type { Translate } from "#messages/translate.ts";

/** Plans as the pricing page shows them. @param plans cheapest first */
export function listPlans(locale: Locale, plans = PLANS): ListedPlan[] {
  const t = translatorFor(locale, "plans");
  return plans.map((plan, index) => ({
    id: plan.id,
    name: plan.name,
    description: t(plan.id),
    price: plan.priceUsdCents / 100,
    limits: toListedLimits(plan.limits),
    features: featuresOf(plan, plans[index - 1], t),
  }));
}

/** The features that a plan adds to the next cheaper plan. The cheapest plan lists all its features. */
function featuresOf(plan: Plan, cheaper: Plan | undefined, t: Translate<"plans">): string[] {
  const { storedBytes, openRequests } = plan.limits;
  return [
    ...(cheaper
      ? addedFeatures(plan, cheaper, t)
      : [t("manyFiles"), t("worksAtOnce"), t("goesOn"), t("goneToTheSecond"), t("guarded"), t("everyClient")]),
    ...(openRequests === cheaper?.limits.openRequests ? [] : [t("openRequests", { count: openRequests })]),
    ...(storedBytes === null ? [] : [t("storedAtOnce", { size: formatBytes(storedBytes, t.locale) })]),
    ...plan.extras.filter((extra) => !cheaper?.extras.includes(extra)).map((extra) => t(extra)),
  ];
}

function addedFeatures(plan: Plan, cheaper: Plan, t: Translate<"plans">): string[] {
  const everything = t("everythingIn", { plan: cheaper.name });
  const added = EXPIRATIONS.filter(
    (expiration) =>
      isWithin(expiration, plan.limits.longestExpiration) && !isWithin(expiration, cheaper.limits.longestExpiration),
  );
  if (added.length === 0) return [everything];
  const tExpiration = translatorFor(t.locale, "expirations");
  const or = new Intl.ListFormat(t.locale, { type: "disjunction" });
  const expirations = or.format(added.map((expiration) => tExpiration(inSentence(expiration))));
  return [everything, t("linksLast", { expirations })];
}

export function toListedLimits(limits: PlanLimits): ListedLimits {
  return {
    storage: limits.monthBytes,
    transfers: limits.monthTransfers,
    entries: limits.entries,
    maxExpiry: limits.longestExpiration,
    fileSize: limits.fileSizeBytes,
    stored: limits.storedBytes,
  };
}
