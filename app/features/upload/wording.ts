/** Message names that differ between the home card and the cards of the two upload pages. */
export const HOME_WORDING = {
  expiration: "homeExpiration",
  cancel: "homeCancel",
  done: "homeDone",
  shareLink: "homeShareLink",
} as const;

export const PAGE_WORDING = {
  expiration: "pageExpiration",
  cancel: "pageCancel",
  done: "pageDone",
  shareLink: "pageShareLink",
} as const;

export type Wording = typeof HOME_WORDING | typeof PAGE_WORDING;
