/**
 * What may be wrong with a field of a record that the admin area keeps: a head or a text. Its words are in the
 * catalogues of messages (`recordFields`), which no other page brings.
 */
export const RECORD_FIELD_MESSAGES = [
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

/** Whether what a schema said is such a name. */
export function isRecordFieldMessage(said: string): said is RecordFieldMessage {
  return RECORD_FIELD_MESSAGES.some((name) => name === said);
}
