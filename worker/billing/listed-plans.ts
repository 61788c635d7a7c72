import { EXPIRATIONS, inSentence } from "#domain/expiry.ts";
import type { Locale } from "#domain/locale.ts";
import { listedLimits } from "#domain/listed-limits.ts";
import { allows, PLANS, type Plan } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";
import type { ListedPlan } from "#domain/wire.ts";
import { compiledGroup } from "#messages/compiled.ts";
import type { Group } from "#messages/messages.ts";
import { translator, type Translate } from "#messages/translate.ts";

/** Every plan as its card shows it, in a language, cheapest first (specification 1 section 3). */
export function listPlans(locale: Locale): ListedPlan[] {
  const say = sayIn(locale, "plans");
  return PLANS.map((plan, index) => ({
    id: plan.id,
    name: plan.name,
    description: say(plan.id),
    price: plan.priceUsdCents / 100,
    limits: listedLimits(plan.limits),
    features: featuresOf(plan, PLANS[index - 1], say),
  }));
}

/**
 * What a plan has besides the limits that stand on its card: what every plan has, or what it adds to the one below.
 */
function featuresOf(plan: Plan, below: Plan | undefined, say: Translate<"plans">): string[] {
  const { storedBytes } = plan.limits;
  return [
    ...(below ? addedTo(below, plan, say) : [say("worksAtOnce"), say("goesOn"), say("goneToTheSecond")]),
    ...(storedBytes === null ? [] : [say("storedAtOnce", { size: formatBytes(storedBytes, say.locale) })]),
    ...plan.extras.filter((extra) => !below?.extras.includes(extra)).map((extra) => say(extra)),
  ];
}

/** The plan below, and the expiries that it has not. */
function addedTo(below: Plan, plan: Plan, say: Translate<"plans">): string[] {
  const sayExpiration = sayIn(say.locale, "expirations");
  const opened = EXPIRATIONS.filter((expiration) => allows(plan.id, expiration) && !allows(below.id, expiration));
  const or = new Intl.ListFormat(say.locale, { type: "disjunction" });
  const expirations = or.format(opened.map((expiration) => sayExpiration(inSentence(expiration))));
  return [say("everythingIn", { plan: below.name }), say("linksLast", { expirations })];
}

function sayIn<G extends Group>(locale: Locale, group: G): Translate<G> {
  return translator(locale, group, (wanted) => compiledGroup(locale, wanted));
}
