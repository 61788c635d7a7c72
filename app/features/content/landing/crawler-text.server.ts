import { longestExpiryIn, frequentQuestions } from "#app/features/content/faq.ts";
import { formatPrice } from "#app/lib/i18n/formats.ts";
import { requestTranslator } from "#app/lib/i18n/messages.server.ts";
import { PRODUCT_NAME } from "#domain/brand.ts";
import type { Question } from "#domain/page-head.ts";
import { limitFor, PLANS } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";

export interface CrawlerTexts {
  about: string;
  plans: string[];
  questions: Question[];
}

/** A summary of the product. The loader writes these texts, so that no browser loads code for a hidden text. */
export function crawlerTexts(request: Request, anonymousUploads: boolean): CrawlerTexts {
  const t = requestTranslator(request, "landing");
  const tExpiration = requestTranslator(request, "expirations");
  const whoMayUpload = anonymousUploads
    ? t("noAccountNeeded", { size: formatBytes(limitFor("free").fileSizeBytes, t.locale) })
    : t("accountNeeded");
  const tagline = requestTranslator(request, "common")("tagline");
  return {
    about: t("about", { product: PRODUCT_NAME, tagline, whoMayUpload }),
    plans: PLANS.map((plan) =>
      t("planSummary", {
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
      }),
    ),
    questions: frequentQuestions({ t: requestTranslator(request, "faq"), tExpiration, anonymousUploads }),
  };
}
