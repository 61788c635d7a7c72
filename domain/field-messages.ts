import type { InputMessage } from "./input-messages.ts";
import type { RecordFieldMessage } from "./record-field-messages.ts";

/** What may be wrong with a field that a person fills in. Its words are in the catalogues of messages (`fields`). */
export const FIELD_MESSAGES = [
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
  "loginPasswordLong",
  "emailFormat",
  "takeDownReasonMissing",
  "takeDownReasonLong",
] as const;
export type FieldMessage = (typeof FIELD_MESSAGES)[number];

/** Names such a message, one of a record's or one of a request's, as what a schema says of a value. */
export function messageName<Name extends FieldMessage | RecordFieldMessage | InputMessage>(name: Name): Name {
  return name;
}

/** Whether what a schema said is such a name. */
export function isFieldMessage(said: string): said is FieldMessage {
  return FIELD_MESSAGES.some((name) => name === said);
}
