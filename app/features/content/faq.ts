import { PRODUCT_NAME } from "#domain/brand.ts";
import { EXPIRATIONS, inSentence } from "#domain/expiry.ts";
import type { Question } from "#domain/page-head.ts";
import { planOf, type Plan } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";
import type { Translate } from "#messages/translate.ts";

const free = planOf("free");
const professional = planOf("professional");
const ultimate = planOf("ultimate");

interface FaqOptions {
  t: Translate<"faq">;
  tExpiration: Translate<"expirations">;
  anonymousUploads: boolean;
}

/** The number of first questions that the product specification requires (decision 017). */
export const FIRST_QUESTIONS = 5;

export function frequentQuestions({ t, tExpiration, anonymousUploads }: FaqOptions): Question[] {
  const forEachPlan = (valueOf: (plan: Plan) => string) => ({
    free: valueOf(free),
    professional: valueOf(professional),
    ultimate: valueOf(ultimate),
  });
  const sizes = forEachPlan(({ limits }) => formatBytes(limits.fileSizeBytes, t.locale));
  const counts = forEachPlan(({ limits }) => limits.entries.toLocaleString(t.locale));
  const requests = forEachPlan(({ limits }) => limits.openRequests.toLocaleString(t.locale));
  const expiries = forEachPlan((plan) => longestExpiryIn(tExpiration, plan));
  const names = { freeName: free.name, professionalName: professional.name, ultimateName: ultimate.name };
  return [
    {
      question: t("account"),
      answer: anonymousUploads
        ? t("accountAnswerVisitors", { size: sizes.free, expiry: expiries.free })
        : t("accountAnswer"),
    },
    { question: t("size"), answer: t("sizeAnswer", { ...sizes, ...names }) },
    {
      question: t("expiry"),
      answer: t("expiryAnswer", { ...expiries, ...names, shortest: tExpiration(EXPIRATIONS[0]) }),
    },
    { question: t("access"), answer: t("accessAnswer") },
    { question: t("connection"), answer: t("connectionAnswer", { product: PRODUCT_NAME }) },
    { question: t("many"), answer: t("manyAnswer", { ...counts, ...names }) },
    { question: t("protect"), answer: t("protectAnswer") },
    { question: t("sealed"), answer: t("sealedAnswer") },
    { question: t("requests"), answer: t("requestsAnswer", { ...requests, ...names }) },
    { question: t("programs"), answer: t("programsAnswer") },
  ];
}

/** A plan's longest expiration, worded for the middle of a sentence. */
export function longestExpiryIn(t: Translate<"expirations">, { limits }: Plan): string {
  return t(inSentence(limits.longestExpiration));
}
