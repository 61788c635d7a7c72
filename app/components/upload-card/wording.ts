/** The home card and the cards of the two upload pages say the same things in their own words. */
export interface Wording {
  expiration: string;
  cancel: string;
  done: string;
  shareLink: string;
}

export const HOME_WORDING: Wording = {
  expiration: "Link expires after",
  cancel: "Cancel",
  done: "Ready to share",
  shareLink: "Share link",
};

export const PAGE_WORDING: Wording = {
  expiration: "Link Expiration",
  cancel: "Cancel Upload",
  done: "Upload Successful!",
  shareLink: "Share Link",
};
