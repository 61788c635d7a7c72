/** Validation messages for SEO records and page contents, translated by the group `recordFields`. */
const RECORD_FIELD_MESSAGES = [
  "pagePathMissing",
  "pagePathLong",
  "pagePathWrong",
  "titleMissing",
  "titleLong",
  "descriptionMissing",
  "descriptionLong",
  "keywordsMissing",
  "keywordsLong",
  "ogTitleLong",
  "ogDescriptionLong",
  "ogImageLong",
  "ogImageWrong",
  "twitterTitleLong",
  "twitterDescriptionLong",
  "twitterImageLong",
  "twitterImageWrong",
  "structuredDataLong",
  "structuredDataWrong",
  "canonicalUrlLong",
  "canonicalUrlWrong",
  "slugMissing",
  "slugLong",
  "slugWrong",
  "contentMissing",
  "contentLong",
] as const;
export type RecordFieldMessage = (typeof RECORD_FIELD_MESSAGES)[number];

export function isRecordFieldMessage(message: string): message is RecordFieldMessage {
  return RECORD_FIELD_MESSAGES.some((name) => name === message);
}
