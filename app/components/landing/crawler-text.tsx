import { PRODUCT_NAME, PRODUCT_TAGLINE } from "#domain/brand.ts";
import { longestExpiry } from "#domain/facts.ts";
import { FAQ } from "#domain/faq.ts";
import { PLANS } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";

/**
 * What the product is, in plain sentences, for search engines and assistants that read the document (specification 1
 * section 1). It is not shown to people, who have the page; nothing in it is said to robots alone.
 */
export function CrawlerText() {
  return (
    <div hidden>
      <p>
        {PRODUCT_NAME} is a web service for sending files: upload a file, share its download link, and the file expires
        by itself. {PRODUCT_TAGLINE}. An account is needed to upload; it is free. Nobody needs one to download.
      </p>
      <ul>
        {PLANS.map((plan) => (
          <li key={plan.id}>
            {plan.name}: {plan.priceUsdCents === 0 ? "free" : `$${plan.priceUsdCents / 100} a month`}, files of up to{" "}
            {formatBytes(plan.limits.fileSizeBytes)}, {formatBytes(plan.limits.monthBytes)} and{" "}
            {plan.limits.monthTransfers.toLocaleString("en-US")} uploads a month, kept for at most {longestExpiry(plan)}
            .
          </li>
        ))}
      </ul>
      <dl>
        {FAQ.map(({ question, answer }) => (
          <div key={question}>
            <dt>{question}</dt>
            <dd>{answer}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
