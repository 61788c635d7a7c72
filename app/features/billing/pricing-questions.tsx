import { useMessages } from "#app/lib/i18n/messages.ts";
import { FOREVER_GRACE_MS } from "#domain/plans.ts";
import { DAY_MS } from "#domain/units.ts";
import { Questions } from "#app/ui/questions.tsx";

export function PricingQuestions() {
  const t = useMessages("pricing");
  const days = FOREVER_GRACE_MS / DAY_MS;
  return (
    <section aria-labelledby="questions" className="mx-auto mt-16 max-w-3xl lg:mt-24">
      <Questions
        title={t("beforeYouChoose")}
        questions={[
          { question: t("transfer"), answer: t("transferAnswer") },
          { question: t("month"), answer: t("monthAnswer") },
          { question: t("smaller"), answer: t("smallerAnswer", { days }) },
          { question: t("stop"), answer: t("stopAnswer") },
        ]}
      />
    </section>
  );
}
