import type { FieldMessage } from "#domain/field-messages.ts";
import {
  CONTACT_MESSAGE_MAX_LENGTH,
  FILENAME_MAX_LENGTH,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
  REASON_MAX_LENGTH,
  REPORT_MESSAGE_MAX_LENGTH,
  SHARE_NOTE_MAX_LENGTH,
} from "#domain/wire.ts";
import { TRANSFER_MESSAGE_MAX_LENGTH } from "#domain/transfers/limits.ts";

/** Validation messages of form fields, also sent by the API. */
export const fields = {
  emailInvalid: "Please enter a valid email address",
  emailWrong: "Please enter a valid email address.",
  emailMissing: "Please enter your email address",
  passwordShort: `Password must be at least ${PASSWORD_MIN_LENGTH} characters`,
  passwordLong: `Password must be at most ${PASSWORD_MAX_LENGTH} characters`,
  passwordsDiffer: "Passwords don't match",
  filenameMissing: "Please enter a file name.",
  filenameLong: `The file's name may hold at most ${FILENAME_MAX_LENGTH} characters.`,
  filenameNotPlain: "The file name cannot contain slashes or control characters.",
  filenameOnlyDots: "The file name cannot consist of dots and spaces only.",
  transferTitleLong: `The title may hold at most ${FILENAME_MAX_LENGTH} characters.`,
  transferTitleWrong: "The title cannot be empty, and cannot contain slashes or control characters.",
  transferMessageLong: `The message may hold at most ${TRANSFER_MESSAGE_MAX_LENGTH} characters.`,
  noteLong: `The note may hold at most ${SHARE_NOTE_MAX_LENGTH} characters.`,
  reasonMissing: "Please choose what is wrong with this file.",
  reportLong: `Message cannot exceed ${REPORT_MESSAGE_MAX_LENGTH} characters.`,
  nameShort: "Name must be at least 2 characters.",
  nameLong: "Name cannot exceed 100 characters.",
  subjectShort: "Subject must be at least 3 characters.",
  subjectLong: "Subject cannot exceed 200 characters.",
  messageShort: "Message must be at least 10 characters.",
  messageLong: `Message cannot exceed ${CONTACT_MESSAGE_MAX_LENGTH} characters.`,
  usernameMissing: "Username is required",
  usernameLong: "Username is too long",
  passwordMissing: "Password is required",
  loginPasswordLong: "Password is too long",
  emailFormat: "Invalid email format",
  takeDownReasonMissing: "Please enter a reason for the takedown",
  takeDownReasonLong: `The reason cannot exceed ${REASON_MAX_LENGTH} characters.`,
} as const satisfies Record<FieldMessage, string>;
