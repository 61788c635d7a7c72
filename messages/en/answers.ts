/** API responses that a page shows as they are. */
export const answers = {
  corsBuiltIn: "The built-in storage needs no CORS settings, so there is nothing to fix.",
  corsUpdated: "S3 now accepts uploads from this site. It may take a minute to work in every browser.",
  testMailSent: "The test email was sent successfully. Check the specified inbox.",
} as const;
