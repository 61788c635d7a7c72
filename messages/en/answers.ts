/** What a call answers that went well, where its caller shows it as it comes. */
export const answers = {
  corsBuiltIn: "The built-in store needs no CORS settings: there is nothing to fix.",
  corsUpdated: "S3 now takes uploads from this site. It may be a minute before every browser notices.",
  testMailSent: "The test email was sent successfully. Check the specified inbox.",
} as const;
