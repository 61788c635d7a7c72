/** Why a call was answered with 429. The page shows them too. */
export const tooManyRequestsErrors = {
  tooOftenSeconds: "Too many attempts. Please wait {count, plural, one {# second} other {# seconds}} and try again.",
  tooOftenMinutes: "Too many attempts. Please wait {count} minutes and try again.",
  tooOftenHours: "Too many attempts. Please wait {count} hours and try again.",
  tooManySockets: "Too many pages are following uploads. Close one and try again.",
  tooManyDashboards: "Your files are open in too many windows. Close one and try again.",
  tooManyUnfinished:
    "You have {count} unfinished uploads, the maximum of your plan. Finish or discard one on your dashboard, then try again.",
  tooManySending: "Too many uploads through this request are not finished yet. Please try again in a minute.",
} as const;

/** Around that message on the download page. */
export const tooManyRequestsPage = {
  titleWait: "Please Wait",
  oneMoment: "One moment, please",
  tryAgain: "Try again",
} as const;
