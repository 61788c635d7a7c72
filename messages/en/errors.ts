import { ERRORS, type ErrorCode } from "#domain/errors.ts";

const ofCodes = Object.fromEntries(Object.entries(ERRORS).map(([code, { message }]) => [code, message])) as {
  [Code in ErrorCode]: (typeof ERRORS)[Code]["message"];
};

/** A message for each error code, and more specific messages. */
export const errors = {
  ...ofCodes,

  tooOftenSeconds: "Too many attempts. Please wait {count, plural, one {# second} other {# seconds}} and try again.",
  tooOftenMinutes: "Too many attempts. Please wait {count} minutes and try again.",
  tooOftenHours: "Too many attempts. Please wait {count} hours and try again.",
  tooManySockets: "Too many pages are following uploads. Close one and try again.",
  fileRemoved: "This file has been removed and can no longer be downloaded.",

  overLargest: "The maximum file size allowed is {size} per file for all subscription plans.",
  overPlan: "This file is larger than your plan allows ({size}). Upgrade to send it.",
  keepsTooLong: "The expiry “{expiration}” requires the {plan} plan.",
  hasPassed:
    "The file was uploaded longer ago than the chosen expiry ({expiration}). Choose a longer one, or delete the file.",
  tooManyUnfinished:
    "You have {count} unfinished uploads, the maximum of your plan. Finish or discard one on your dashboard, then try again.",
  transfersUsed: "You have used all {count} transfers for this month.",
  overStored: "With this file you would exceed the {size} that your plan can store. Delete some files first.",
  overMonth: "This file is {size}, but only {left} of this month's {month} are left.",

  sameAddress: "This is already your email address.",
  sessionEnded: "This session has already ended.",

  alreadyOn: "You're already on the {plan} plan",
  noPayments:
    "Your plan cannot be converted to Stripe because billing is not configured on this server. It has not changed.",
  alreadyAtStripe: "Your subscription is already managed by Stripe.",
  noPaidPlan: "You do not have a paid plan to convert. Choose one on the pricing page.",

  noSuchUser: "This user no longer exists.",
  userLeaving: "This user is being deleted.",
  noSuchSubmission: "This submission no longer exists.",
  noSuchReport: "This report does not exist.",
} as const;
