import type { FieldMessage } from "#domain/field-messages.ts";
import {
  CONTACT_MESSAGE_MAX_LENGTH,
  FILENAME_MAX_LENGTH,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
  REPORT_MESSAGE_MAX_LENGTH,
  SHARE_NOTE_MAX_LENGTH,
} from "#domain/wire.ts";

/** What is wrong with a field of a form, said beside it, and by the API. */
export const fields = {
  emailInvalid: "Please enter a valid email address",
  emailWrong: "Please enter a valid email address.",
  emailMissing: "Please enter your email address",
  passwordShort: `Password must be at least ${PASSWORD_MIN_LENGTH} characters`,
  passwordLong: `Password must be at most ${PASSWORD_MAX_LENGTH} characters`,
  passwordsDiffer: "Passwords don't match",
  filenameMissing: "The file needs a name.",
  filenameLong: `The file's name may hold at most ${FILENAME_MAX_LENGTH} characters.`,
  filenameNotPlain: "The file's name may not hold slashes or control characters.",
  filenameOnlyDots: "The file's name needs more than dots and spaces.",
  noteLong: `The note may hold at most ${SHARE_NOTE_MAX_LENGTH} characters.`,
  reasonMissing: "Choose what is wrong with this file.",
  reportLong: `Message cannot exceed ${REPORT_MESSAGE_MAX_LENGTH} characters.`,
  nameShort: "Name must be at least 2 characters.",
  nameLong: "Name cannot exceed 100 characters.",
  subjectShort: "Subject must be at least 3 characters.",
  subjectLong: "Subject cannot exceed 200 characters.",
  messageShort: "Message must be at least 10 characters.",
  messageLong: `Message cannot exceed ${CONTACT_MESSAGE_MAX_LENGTH} characters.`,
  usernameMissing: "Username is required",
  passwordMissing: "Password is required",
  takeDownReasonMissing: "Say why the file is taken down",
} as const satisfies Record<FieldMessage, string>;
