import { ERRORS, type ErrorCode } from "#domain/errors.ts";

const ofCodes = Object.fromEntries(Object.entries(ERRORS).map(([code, { message }]) => [code, message])) as {
  [Code in ErrorCode]: (typeof ERRORS)[Code]["message"];
};

/** Why a call is refused: a sentence for each code, and those that say more than their code's. */
export const errors = {
  ...ofCodes,

  tooOftenSeconds: "That was too often. Please wait {count, plural, one {# second} other {# seconds}} and try again.",
  tooOftenMinutes: "That was too often. Please wait {count} minutes and try again.",
  tooOftenHours: "That was too often. Please wait {count} hours and try again.",
  tooManySockets: "Too many pages are watching uploads. Close one and try again.",
  fileRemoved: "This file has been removed and can no longer be downloaded.",

  overLargest: "The maximum file size allowed is {size} per file for all subscription plans.",
  overPlan: "Your plan takes files up to {size}. Choose a larger plan for this one.",
  keepsTooLong: "Keeping a file for {expiration} needs the {plan} plan.",
  hasPassed: "{expiration} after its upload has passed already. Choose a longer time, or delete the file.",
  tooManyUnfinished:
    "You have {count} unfinished uploads, and your plan takes {count} at once. Finish or discard one on your dashboard, then try again.",
  transfersUsed: "You have used all {count} transfers of this month.",
  overStored: "Your plan keeps {size} at one time, and this file would be more. Delete some files first.",
  overMonth: "This file has {size}, and {left} of this month's {month} are left.",

  sameAddress: "This is your address already.",
  sessionEnded: "This session has already ended.",

  alreadyOn: "You're already on the {plan} plan",
  noPayments: "Your plan cannot be moved to Stripe: payments are not set up here. It goes on as it is.",
  alreadyAtStripe: "Your subscription is at Stripe already.",
  noPaidPlan: "You have no paid plan to move. Choose one on the pricing page.",

  noSuchUser: "There is no such user (any more).",
  userLeaving: "This user is being deleted.",
  noSuchSubmission: "There is no such submission (any more).",
  noSuchReport: "There is no such report.",
} as const;
