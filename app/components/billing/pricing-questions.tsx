import { useMessages } from "#app/messages/messages.ts";
import { FOREVER_ENDS_AFTER_MS } from "#domain/plans.ts";
import { DAY_MS } from "#domain/units.ts";
import { Questions } from "../questions.tsx";

export function PricingQuestions() {
  const say = useMessages("pricing");
  const days = FOREVER_ENDS_AFTER_MS / DAY_MS;
  return (
    <section aria-labelledby="questions" className="mx-auto mt-16 max-w-3xl lg:mt-24">
      <Questions
        title={say("beforeYouChoose")}
        questions={[
          { question: say("transfer"), answer: say("transferAnswer") },
          { question: say("month"), answer: say("monthAnswer") },
          { question: say("smaller"), answer: say("smallerAnswer", { days }) },
          { question: say("stop"), answer: say("stopAnswer") },
        ]}
      />
    </section>
  );
}
