import { FOREVER_ENDS_AFTER_MS } from "#domain/plans.ts";
import { DAY_MS } from "#domain/units.ts";
import { Questions } from "../questions.tsx";

const QUESTIONS = [
  {
    question: "What counts as a transfer?",
    answer:
      "One upload that has finished, whatever its size. Downloads are not counted, however many people open your link.",
  },
  {
    question: "When does my month begin again?",
    answer:
      "On your billing date: the day you subscribed, or on the free plan the day you signed up. Storage and transfers start again at nothing; files that are there stay until their time is up.",
  },
  {
    question: "What happens to my files when I change to a smaller plan?",
    answer: `They live out the time they were given, and their links go on working. Only files kept forever get an end: ${FOREVER_ENDS_AFTER_MS / DAY_MS} days later. We tell you by mail.`,
  },
  {
    question: "Can I stop at any time?",
    answer: "Yes. You keep what you have paid for until the month ends, and go on with the free plan after that.",
  },
] as const;

export function PricingQuestions() {
  return (
    <section aria-labelledby="questions" className="mx-auto mt-16 max-w-3xl lg:mt-24">
      <Questions title="Before you choose" questions={QUESTIONS} />
    </section>
  );
}
