/** The frame of the pages about, terms and privacy. Their texts are in the database. */
export const content = {
  lastUpdated: "Last updated <day></day>",
  // About
  simplicity: "Simplicity",
  simplicityText: "One page, one link. Nothing to install, and nothing to explain to the recipient.",
  privacy: "Privacy",
  privacyText: "Links nobody can guess, no tracking, and an expiry that you choose. What is gone is gone.",
  performance: "Performance",
  performanceText: "Files upload straight to storage, several parts at a time, and resume where they stopped.",
  community: "Community",
  communityText: "People who send files every day tell us what is missing. We read every message.",
  getInTouch: "Get in Touch",
  getInTouchText: "Do you have a question, an idea or a problem? We would like to hear from you.",
  contactUs: "Contact us",
  // Terms
  importantSections: "Important Sections",
  privacyPolicy: "Privacy Policy",
  contactInformation: "Contact Information",
  accountGuidelines: "Account Guidelines",
  // Privacy
  privacyMatters: "Your Privacy Matters",
  writeTo:
    "Do you have questions about your data, or would you like it corrected or deleted? Write to <address>{email}</address>.",
  policyUpdated: "This policy was last updated <day></day>.",
} as const;
