/** Validation messages for API fields without a form, translated by the group `inputs`. They name the JSON field. */
const INPUT_MESSAGES = [
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
  "notCrc32",
  "notBase64url",
  "notFragment",
  "kdfRefused",
  "manifestLong",
  "notEtag",
  "tooManyUrls",
  "notDay",
  "notMoment",
  "notCount",
  "notPage",
  "nothingToChange",
  "nothingToChangeInTransfer",
  "nothingToChangeInGuards",
] as const;
export type InputMessage = (typeof INPUT_MESSAGES)[number];

export function isInputMessage(message: string): message is InputMessage {
  return INPUT_MESSAGES.some((name) => name === message);
}
