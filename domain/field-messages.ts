import type { AccountFieldMessage } from "./account-field-messages.ts";
import type { InputMessage } from "./input-messages.ts";
import type { RecordFieldMessage } from "./record-field-messages.ts";

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
