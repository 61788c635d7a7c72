/** Plan descriptions and features, for every list of plans. */
export const plans = {
  free: "For occasional files.",
  professional: "For files you send every week.",
  ultimate: "For large files and permanent links.",
  everythingIn: "Everything in {plan}",
  linksLast: "Links that last {expirations}",
  openRequests: "{count, plural, one {# open request for files} other {# open requests for files}}",
  storedAtOnce: "Up to {size} stored at once",
  billingPortal: "Billing portal",
  prioritySupport: "Priority Support",
  manyFiles: "Whole folders behind one link",
  worksAtOnce: "Links that work during the upload",
  guarded: "Passwords, download limits, end-to-end encryption",
  everyClient: "Command line, curl, API and webhooks",
  goesOn: "Uploads that resume after a lost connection",
  goneToTheSecond: "Files that expire to the second",
} as const;
