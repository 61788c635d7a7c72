/** Validation messages for form fields, translated by the group `fields`. */
const FIELD_MESSAGES = [
  "emailInvalid",
  "emailWrong",
  "emailMissing",
  "passwordShort",
  "passwordLong",
  "passwordsDiffer",
  "filenameMissing",
  "filenameLong",
  "filenameNotPlain",
  "filenameOnlyDots",
  "transferTitleLong",
  "transferTitleWrong",
  "transferMessageLong",
  "linkPasswordLength",
  "maxDownloadsRange",
  "noteLong",
  "reasonMissing",
  "reportLong",
  "nameShort",
  "nameLong",
  "subjectShort",
  "subjectLong",
  "messageShort",
  "messageLong",
  "usernameMissing",
  "usernameLong",
  "passwordMissing",
  "codeFormat",
  "loginPasswordLong",
  "codeMissing",
  "codeLong",
  "emailFormat",
  "takeDownReasonMissing",
  "takeDownReasonLong",
  "requestTitleMissing",
  "requestTitleLong",
  "requestNoteLong",
  "senderNameLong",
] as const;
export type FieldMessage = (typeof FIELD_MESSAGES)[number];

/** Checks a message name at compile time, for use as a schema's error message. */
export function messageName<Name extends FieldMessage | AccountFieldMessage | RecordFieldMessage | InputMessage>(
  name: Name,
): Name {
  return name;
}

export function isFieldMessage(message: string): message is FieldMessage {
  return FIELD_MESSAGES.some((name) => name === message);
}

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
  "wrapIncomplete",
  "sealPassword",
  "sealSize",
  "sealName",
  "notEtag",
  "tooManyUrls",
  "notDay",
  "notMoment",
  "notCount",
  "notPage",
  "nothingToChange",
  "nothingToChangeInTransfer",
  "nothingToChangeInGuards",
  "nothingToChangeInKey",
  "notCursor",
  "notStartKey",
  "notUserCode",
  "notDeviceName",
  "notRequestToken",
  "notRequestId",
  "notKind",
  "kindsMany",
  "notOrigin",
  "originsMany",
  "notTimeZone",
  "nothingToChangeInRequest",
] as const;
export type InputMessage = (typeof INPUT_MESSAGES)[number];

export function isInputMessage(message: string): message is InputMessage {
  return INPUT_MESSAGES.some((name) => name === message);
}

/** Validation messages of forms that only the account page has, translated by the group `accountFields`. */
const ACCOUNT_FIELD_MESSAGES = [
  "keyNameMissing",
  "keyNameLong",
  "keyScopeMissing",
  "passkeyNameMissing",
  "passkeyNameLong",
  "webhookUrl",
  "webhookEvents",
] as const;
export type AccountFieldMessage = (typeof ACCOUNT_FIELD_MESSAGES)[number];

export function isAccountFieldMessage(message: string): message is AccountFieldMessage {
  return ACCOUNT_FIELD_MESSAGES.some((name) => name === message);
}

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
