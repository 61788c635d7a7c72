import { EXPIRATIONS, inSentence } from "#domain/expiry.ts";
import type { Locale } from "#domain/locale.ts";
import { toListedLimits } from "#domain/listed-plan-limits.ts";
import { allowsExpiration, PLANS, type Plan } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";
import type { ListedPlan } from "#domain/wire.ts";
import { translatorFor } from "#messages/compiled.ts";
import type { Translate } from "#messages/translate.ts";

/** Every plan as its card shows it, in a language, cheapest first (specification 1 section 3). */
export function listPlans(locale: Locale): ListedPlan[] {
  const t = translatorFor(locale, "plans");
  return PLANS.map((plan, index) => ({
    id: plan.id,
    name: plan.name,
    description: t(plan.id),
    price: plan.priceUsdCents / 100,
    limits: toListedLimits(plan.limits),
    features: featuresOf(plan, PLANS[index - 1], t),
  }));
}

/**
 * What a plan has besides the limits that stand on its card: what every plan has, or what it adds to the one below.
 */
function featuresOf(plan: Plan, below: Plan | undefined, t: Translate<"plans">): string[] {
  const { storedBytes } = plan.limits;
  return [
    ...(below ? addedTo(below, plan, t) : [t("worksAtOnce"), t("goesOn"), t("goneToTheSecond")]),
    ...(storedBytes === null ? [] : [t("storedAtOnce", { size: formatBytes(storedBytes, t.locale) })]),
    ...plan.extras.filter((extra) => !below?.extras.includes(extra)).map((extra) => t(extra)),
  ];
}

/** The plan below, and the expiries that it has not. */
function addedTo(below: Plan, plan: Plan, t: Translate<"plans">): string[] {
  const tExpiration = translatorFor(t.locale, "expirations");
  const opened = EXPIRATIONS.filter(
    (expiration) => allowsExpiration(plan.id, expiration) && !allowsExpiration(below.id, expiration),
  );
  const or = new Intl.ListFormat(t.locale, { type: "disjunction" });
  const expirations = or.format(opened.map((expiration) => tExpiration(inSentence(expiration))));
  return [t("everythingIn", { plan: below.name }), t("linksLast", { expirations })];
}
