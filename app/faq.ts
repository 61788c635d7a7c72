import { PRODUCT_NAME } from "#domain/brand.ts";
import { EXPIRATIONS } from "#domain/expiry.ts";
import { planOf, type Plan } from "#domain/plans.ts";
import type { Question } from "#domain/structured-data.ts";
import { formatBytes } from "#domain/units.ts";
import type { Translate } from "#messages/translate.ts";
import { longestExpiryIn } from "./expirations.ts";

const free = planOf("free");
const professional = planOf("professional");
const ultimate = planOf("ultimate");

interface FaqOptions {
  say: Translate<"faq">;
  sayExpiration: Translate<"expirations">;
  /** Whether this deployment takes files without an account. */
  anonymousUploads: boolean;
}

/** The five questions of the features page with their answers, in the language of the translators. */
export function frequentQuestions({ say, sayExpiration, anonymousUploads }: FaqOptions): Question[] {
  const ofEach = (fact: (plan: Plan) => string) => ({
    free: fact(free),
    professional: fact(professional),
    ultimate: fact(ultimate),
  });
  const sizes = ofEach(({ limits }) => formatBytes(limits.fileSizeBytes, say.locale));
  const expiries = ofEach((plan) => longestExpiryIn(sayExpiration, plan));
  const names = { freeName: free.name, professionalName: professional.name, ultimateName: ultimate.name };
  return [
    {
      question: say("account"),
      answer: anonymousUploads
        ? say("accountAnswerVisitors", { size: sizes.free, expiry: expiries.free })
        : say("accountAnswer"),
    },
    { question: say("size"), answer: say("sizeAnswer", { ...sizes, ...names }) },
    {
      question: say("expiry"),
      answer: say("expiryAnswer", { ...expiries, ...names, shortest: sayExpiration(EXPIRATIONS[0]) }),
    },
    { question: say("access"), answer: say("accessAnswer") },
    { question: say("connection"), answer: say("connectionAnswer", { product: PRODUCT_NAME }) },
  ];
}
