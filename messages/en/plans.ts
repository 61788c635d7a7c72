/** What each plan is for, and what it has besides its limits: with the plans, wherever they are listed. */
export const plans = {
  free: "For a file now and then.",
  professional: "For work that goes out every week.",
  ultimate: "For large files, and for keeping them.",
  everythingIn: "Everything in {plan}",
  linksLast: "Links that last {expirations}",
  storedAtOnce: "Up to {size} stored at once",
  billingPortal: "Billing portal",
  prioritySupport: "Priority Support",
  worksAtOnce: "A link that works from the first byte",
  goesOn: "Uploads that go on after a broken connection",
  goneToTheSecond: "Gone to the second when time is up",
} as const;
