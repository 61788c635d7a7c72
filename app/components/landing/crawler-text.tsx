import { formatPrice } from "#app/billing/price.ts";
import { longestExpiryIn } from "#app/expirations.ts";
import { frequentQuestions } from "#app/faq.ts";
import { useMessages } from "#app/messages/messages.ts";
import { useAnonymousUploads } from "#app/session.ts";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { limitFor, PLANS } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";

/**
 * What the product is, in plain sentences, for search engines and assistants that read the document (specification 1
 * section 1). It is not shown to people, who have the page; nothing in it is said to robots alone.
 */
export function CrawlerText() {
  const say = useMessages("landing");
  const sayFrame = useMessages("common");
  const sayQuestions = useMessages("faq");
  const sayExpiration = useMessages("expirations");
  const anonymousUploads = useAnonymousUploads();
  const whoMayUpload = anonymousUploads
    ? say("noAccountNeeded", { size: formatBytes(limitFor("free").fileSizeBytes, say.locale) })
    : say("accountNeeded");
  return (
    <div hidden>
      <p>{say("about", { product: PRODUCT_NAME, tagline: sayFrame("tagline"), whoMayUpload })}</p>
      <ul>
        {PLANS.map((plan) => (
          <li key={plan.id}>
            {say("planSummary", {
              plan: plan.name,
              price:
                plan.priceUsdCents === 0
                  ? say("free")
                  : say("price", { amount: formatPrice(plan.priceUsdCents / 100, say.locale) }),
              size: formatBytes(plan.limits.fileSizeBytes, say.locale),
              month: formatBytes(plan.limits.monthBytes, say.locale),
              transfers: plan.limits.monthTransfers,
              longest: longestExpiryIn(sayExpiration, plan),
            })}
          </li>
        ))}
      </ul>
      <dl>
        {frequentQuestions({ say: sayQuestions, sayExpiration, anonymousUploads }).map(({ question, answer }) => (
          <div key={question}>
            <dt>{question}</dt>
            <dd>{answer}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
