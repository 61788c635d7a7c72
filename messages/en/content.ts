/** What stands around the texts of the pages about us, the terms and privacy. */
export const content = {
  lastUpdated: "Last updated <day></day>",
  // About
  simplicity: "Simplicity",
  simplicityText: "One card, one link. Nothing to install, and nothing to explain to whoever gets it.",
  privacy: "Privacy",
  privacyText: "A link nobody can guess, no tracking, and an end that you decide. What is gone is gone.",
  performance: "Performance",
  performanceText: "Files travel straight to storage, several parts at a time, and go on where they stopped.",
  community: "Community",
  communityText: "People who send files every day tell us what is missing. We read every message.",
  getInTouch: "Get in Touch",
  getInTouchText: "A question, an idea, something that does not work? We would like to know.",
  contactUs: "Contact us",
  // Terms
  importantSections: "Important Sections",
  privacyPolicy: "Privacy Policy",
  contactInformation: "Contact Information",
  accountGuidelines: "Account Guidelines",
  // Privacy
  privacyMatters: "Your Privacy Matters",
  writeTo:
    "Questions about your data, or something you want corrected or deleted? Write to <address>{email}</address>.",
  policyUpdated: "This policy was last updated <day></day>.",
} as const;
