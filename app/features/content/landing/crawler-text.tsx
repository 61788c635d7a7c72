import { formatPrice } from "#app/lib/i18n/format-price.ts";
import { longestExpiryIn } from "#app/lib/longest-expiry.ts";
import { frequentQuestions } from "#app/features/content/faq.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useAnonymousUploads } from "#app/lib/session.ts";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { limitFor, PLANS } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";

/** A hidden summary of the product for search engines and assistants. It repeats only what the public pages say. */
export function CrawlerText() {
  const t = useMessages("landing");
  const tCommon = useMessages("common");
  const tFaq = useMessages("faq");
  const tExpiration = useMessages("expirations");
  const anonymousUploads = useAnonymousUploads();
  const whoMayUpload = anonymousUploads
    ? t("noAccountNeeded", { size: formatBytes(limitFor("free").fileSizeBytes, t.locale) })
    : t("accountNeeded");
  return (
    <div hidden>
      <p>{t("about", { product: PRODUCT_NAME, tagline: tCommon("tagline"), whoMayUpload })}</p>
      <ul>
        {PLANS.map((plan) => (
          <li key={plan.id}>
            {t("planSummary", {
              plan: plan.name,
              price:
                plan.priceUsdCents === 0
                  ? t("free")
                  : t("price", { amount: formatPrice(plan.priceUsdCents / 100, t.locale) }),
              size: formatBytes(plan.limits.fileSizeBytes, t.locale),
              month: formatBytes(plan.limits.monthBytes, t.locale),
              transfers: plan.limits.monthTransfers,
              longest: longestExpiryIn(tExpiration, plan),
              files: plan.limits.entries,
            })}
          </li>
        ))}
      </ul>
      <dl>
        {frequentQuestions({ t: tFaq, tExpiration, anonymousUploads }).map(({ question, answer }) => (
          <div key={question}>
            <dt>{question}</dt>
            <dd>{answer}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
