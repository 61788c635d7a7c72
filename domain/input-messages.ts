/**
 * What may be wrong with a field of a request that no form of ours fills in. The words are in the catalogues of messages
 * (`inputs`), which no page brings; they name the field as the wire does.
 */
export const INPUT_MESSAGES = [
  "missing",
  "empty",
  "notText",
  "notNumber",
  "notWhole",
  "notFlag",
  "notList",
  "notObject",
  "notFile",
  "notOneOf",
  "tooShort",
  "tooLong",
  "tooFew",
  "tooMany",
  "tooSmall",
  "tooBig",
  "wrong",
  "bodyNotObject",
  "notDownloadId",
  "notUploadId",
  "notInvoiceId",
  "notSha256",
  "notEtag",
  "notDay",
  "notMoment",
  "notCount",
  "notPage",
  "nothingToChange",
] as const;
export type InputMessage = (typeof INPUT_MESSAGES)[number];

/** Whether what a schema said is such a name. */
export function isInputMessage(said: string): said is InputMessage {
  return INPUT_MESSAGES.some((name) => name === said);
}
