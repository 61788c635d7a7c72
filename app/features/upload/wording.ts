/** The home card and the cards of the two upload pages say the same things in their own words: names of messages. */
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
