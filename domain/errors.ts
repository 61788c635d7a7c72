import type { Expiration } from "./expiry.ts";
import type { SchemaGroup } from "./field-messages.ts";
import { HEADER_NAMES } from "./header-names.ts";
import type { Kdf } from "./seal/password.ts";
import { TUS_REQUEST_BYTES } from "./tus.ts";

/** Every error code of the API, with its HTTP status and its default message. */
export const ERRORS = {
  BAD_JSON: { status: 400, message: "The request body is not valid JSON." },
  TOKEN_INVALID: { status: 400, message: "This link has already been used or has expired. Please request a new one." },
  BAD_REQUEST: { status: 400, message: "The request is not valid." },
  PATH_REFUSED: { status: 400, message: "The name of a file is not one that every system can hold." },
  REDIRECT_REFUSED: { status: 400, message: "The return address must be a page of this site." },
  SIGNATURE_INVALID: { status: 400, message: "The signature is missing, invalid or expired." },
  AUTHORIZATION_PENDING: { status: 400, message: "Nobody has agreed on the page yet. Ask again in a few seconds." },
  SLOW_DOWN: { status: 400, message: "You asked again too soon. Leave five seconds more between two questions." },
  ACCESS_DENIED: { status: 400, message: "This sign-in was refused on the page." },
  EXPIRED_TOKEN: { status: 400, message: "This code has run out, or was used already. Begin the sign-in again." },
  UNAUTHORIZED: { status: 401, message: "You need to log in to access this feature." },
  INVALID_CREDENTIALS: { status: 401, message: "The email address or password is incorrect." },
  ADMIN_CREDENTIALS: { status: 401, message: "Invalid credentials" },
  SECOND_FACTOR_WRONG: { status: 401, message: "This code is not right, or has been used." },
  STEP_ENDED: { status: 401, message: "This sign-in took too long, or had too many wrong codes. Please log in again." },
  PASSKEY_UNKNOWN: {
    status: 401,
    message: "This passkey is not known here. Sign in another way, and add it again.",
  },
  MAIL_CODE_WRONG: {
    status: 403,
    message: "This code is not right, has run out, or was used already. Ask for another mail if you are unsure.",
  },
  KEY_MISSING: { status: 401, message: "Send an API key: Authorization: Bearer mayfly_…" },
  KEY_INVALID: {
    status: 401,
    message: "This API key is unknown, has run out or was revoked. Make another one on your account page.",
  },
  LINK_LOCKED: { status: 401, message: "This link is protected with a password." },
  PAYMENT_REQUIRED: {
    status: 402,
    message:
      "This plan has not been paid for, so nothing was changed. If you have just paid, please try again in a minute.",
  },
  ACCOUNT_SUSPENDED: {
    status: 403,
    message: "This account is suspended. We have mailed its owner why, and how to object.",
  },
  FORBIDDEN: { status: 403, message: "You do not have permission to do this." },
  ADMIN_REQUIRED: { status: 403, message: "Only administrators can do this. Please log in as an administrator." },
  CROSS_SITE: { status: 403, message: "This request came from another site and was rejected." },
  HTTPS_REQUIRED: { status: 403, message: "This address requires https://. Nothing was changed." },
  WRONG_PASSWORD: { status: 403, message: "The current password is incorrect." },
  PASSKEY_REFUSED: { status: 403, message: "The passkey could not be checked. Please try again." },
  PASSKEY_COPIED: {
    status: 403,
    message: "This passkey may have been copied, so we refused it. Sign in another way, and see our mail.",
  },
  CODES_STOPPED: {
    status: 403,
    message:
      "Too many wrong codes were entered, so codes no longer work here. Use a recovery code or a passkey, or set another password by “Forgot password?”: then they work again.",
  },
  SECOND_FACTOR_SETUP: { status: 403, message: "Administrators need a second factor here. Set one up first." },
  HUMAN_CHECK_NEEDED: {
    status: 403,
    message: `Show on the page /human-check that you are not a program, and send its token as ${HEADER_NAMES.human}.`,
  },
  THROWAWAY_ADDRESS: {
    status: 400,
    message: "This address belongs to a service for throw-away mail. Please use one that you keep.",
  },
  CONFIRM_REQUIRED: { status: 403, message: "Please confirm that it is you." },
  LINK_PASSWORD_WRONG: { status: 403, message: "This is not the password. Ask the sender if you are unsure." },
  EMAIL_UNVERIFIED: {
    status: 403,
    message: "Please verify your email before logging in. Check your inbox for the verification link.",
  },
  KEY_SCOPE: { status: 403, message: "This API key may not do that." },
  KEY_LIMIT: { status: 403, message: "This API key has used up what it may send this month." },
  KEY_IN_BROWSER: {
    status: 403,
    message: "This API key came from a web page, and its owner has not allowed that. Everybody can read a page's key.",
  },
  PLAN_LIMIT_EXCEEDED: { status: 403, message: "This exceeds the limits of your plan." },
  REQUEST_FULL: { status: 403, message: "This request takes no more files." },
  NOT_FOUND: { status: 404, message: "Nothing was found at this address." },
  FILE_NOT_FOUND: { status: 404, message: "This file does not exist, or the link is incorrect." },
  PICTURE_NOT_FOUND: { status: 404, message: "There is no picture of this file." },
  REQUEST_NOT_FOUND: { status: 404, message: "This link for sending files does not exist." },
  DEVICE_CODE_UNKNOWN: {
    status: 404,
    message: "There is no such code. Compare it with the one that the program shows.",
  },
  SECOND_FACTOR_SET: { status: 409, message: "Your account has an authenticator app already. Remove it first." },
  REMOVAL_WAITS: {
    status: 409,
    message: "You can remove it once the mail to this person is three days old and unanswered.",
  },
  SLUG_TAKEN: { status: 409, message: "A page with this slug already exists." },
  SEO_PAGE_TAKEN: { status: 409, message: "This page already has SEO content." },
  CHECKOUT_NOT_FOUND: { status: 404, message: "This checkout was not found in your account. Nothing was changed." },
  CUSTOMER_MISSING: {
    status: 404,
    message: "Your customer record was not found in Stripe. Please contact support.",
  },
  ALREADY_ON_PLAN: { status: 409, message: "You're already on this plan." },
  LAST_ADMIN: {
    status: 409,
    message: "This is the last administrator with an account. Make another user an administrator first.",
  },
  PASSKEY_CONFLICT: { status: 409, message: "This passkey cannot be added." },
  SUSPENDS_ITSELF: {
    status: 409,
    message: "You cannot suspend your own account. Ask another administrator to do it.",
  },
  ALREADY_SUSPENDED: { status: 409, message: "This account is suspended already." },
  CASE_CLOSED: { status: 409, message: "This case has already been closed." },
  ALREADY_OBJECTED: { status: 409, message: "We have your objection already, and will write to you." },
  REPORT_SETTLED: { status: 409, message: "This report has already been resolved." },
  LAST_WAY_IN: { status: 409, message: "This is the last way into your account. Add another one first." },
  LINK_FIRST: {
    status: 409,
    message: "There is an account with this address. Sign in to it to connect the provider.",
  },
  PROVIDER_TAKEN: { status: 409, message: "This sign-in is connected to another account already." },
  EMAIL_TAKEN: { status: 409, message: "Email already registered" },
  REPEATED_DIFFERENTLY: {
    status: 409,
    message: "Something else was started with this Idempotency-Key. Use a new one for each start.",
  },
  UPLOAD_UNFINISHED: { status: 409, message: "This file is still being uploaded. Try again when it is ready." },
  BEING_CHECKED: { status: 409, message: "This is being checked for viruses. Try again in a minute." },
  TOO_MANY_FOLLOWERS: {
    status: 409,
    message: "Too many people are downloading this file while it is being uploaded. Try again in a minute.",
  },
  UPLOAD_FINISHED: { status: 409, message: "This upload has already finished." },
  CHUNK_CONFLICT: { status: 409, message: "This chunk has already been sent with different content." },
  ENTRY_CONFLICT: { status: 409, message: "A file was announced before with another name, size or date." },
  OBJECT_CONFLICT: { status: 409, message: "This part of the transfer was opened before with other files." },
  TOTALS_EXCEEDED: {
    status: 409,
    message: "These files are more than the transfer announced. Say the new totals first.",
  },
  UPLOAD_COMPLETING: { status: 409, message: "This upload is being completed. Ask again in a moment." },
  OFFSET_CONFLICT: {
    status: 409,
    message:
      "The next byte belongs at another offset, or a later request has taken over. Ask with HEAD, and go on there.",
  },
  UPLOAD_CLOSED: { status: 409, message: "This upload was cancelled or has failed. Please start it again." },
  MANIFEST_CONFLICT: {
    status: 409,
    message: "The list of files was changed on another device. Load it again, and then change it.",
  },
  MANIFEST_MISSING: { status: 409, message: "The final list of files has not arrived yet." },
  FILE_CHANGED: {
    status: 409,
    message: "This file has changed since its upload began, so what arrived was deleted. Send it again.",
  },
  PICTURES_FULL: { status: 409, message: "This link takes no more pictures." },
  WEBHOOK_DISABLED: { status: 409, message: "This webhook is switched off. Switch it on first." },
  NOT_SEALED: { status: 409, message: "This upload is not encrypted end to end." },
  SEALED: { status: 409, message: "This is encrypted end to end, so only a browser with its whole link can do this." },
  LINK_NEEDS_KEY: {
    status: 409,
    message: "This link ends in a key that we do not know. Send it from your own mail program.",
  },
  LEASE_NEEDED: {
    status: 409,
    message: "Downloads of this link are counted. Take one first, with POST to the address that ends in /take.",
  },
  DOWNLOADS_BUSY: {
    status: 409,
    message: "Somebody is downloading this right now. If they do not finish, you can download it later.",
  },
  ATTEMPTS_USED_UP: {
    status: 409,
    message: "Too many downloads of this link were broken off. Ask the sender to let it go on.",
  },
  DEVICE_CODE_ENDED: {
    status: 410,
    message: "This code has run out, or was used already. Begin the sign-in again in the program.",
  },
  REQUEST_CLOSED: { status: 410, message: "This request is closed. Ask whoever sent you the link." },
  DOWNLOADS_USED_UP: { status: 410, message: "All downloads that this link was good for have been made." },
  FILE_EXPIRED: { status: 410, message: "This file has expired and can no longer be downloaded." },
  // Not FILE_EXPIRED: after that, browsers forget the keys of encrypted links, and this link may come back.
  LINK_UNAVAILABLE: { status: 410, message: "This link is not available." },
  FILE_INFECTED: { status: 410, message: "A virus scanner found something in this, so the link is closed." },
  UPLOAD_GONE: { status: 410, message: "This upload has ended, and its bytes are gone. Please start another one." },
  LINK_HELD: { status: 423, message: "This link is being looked at. Please try again later." },
  TUS_VERSION_UNKNOWN: { status: 412, message: "We speak tus 1.0.0. Send Tus-Resumable: 1.0.0." },
  REQUEST_TOO_LARGE: {
    status: 413,
    message: `A request must not carry that much. Set chunkSize to ${TUS_REQUEST_BYTES}.`,
  },
  BODY_TOO_LARGE: { status: 413, message: "The request is too large." },
  CHUNK_TOO_LARGE: { status: 413, message: "The chunk is larger than this upload allows." },
  FILE_TOO_LARGE: { status: 413, message: "This file is larger than any plan allows." },
  LENGTH_REQUIRED: { status: 411, message: "This request needs a Content-Length header." },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: "This request must be sent as application/json." },
  KIND_REFUSED: { status: 415, message: "Files of this kind are not taken here." },
  NO_PREVIEW: { status: 415, message: "There is no preview for this type of file. Download it to open it." },
  RANGE_NOT_SATISFIABLE: { status: 416, message: "The requested range is outside the file." },
  UPLOAD_INCOMPLETE: { status: 422, message: "Part of the file has not arrived in storage yet." },
  OBJECT_MISMATCH: {
    status: 422,
    message: "The stored data does not match the announced file and was deleted. Please upload the file again.",
  },
  CHECKSUM_MISMATCH: { status: 422, message: "What arrived is not what the checksum says. It was dropped." },
  CONTENT_BLOCKED: {
    status: 422,
    message: "This file was taken down here before, so it is not accepted. What arrived was deleted.",
  },
  UPGRADE_REQUIRED: { status: 426, message: "This address only accepts WebSocket connections." },
  // No caller sees this default: each throw brings a text of messages/*/errors.ts.
  RATE_LIMITED: { status: 429, message: "Too many attempts. Please wait a moment and try again." },
  INTERNAL: { status: 500, message: "Something went wrong on our side. Please try again." },
  CORS_UPDATE_FAILED: {
    status: 502,
    message: "Failed to update S3 CORS settings. Please try again later.",
  },
  TEST_MAIL_FAILED: {
    status: 502,
    message: "There was an error sending the test email. Check the logs for details.",
  },
  PROVIDER_REFUSED: { status: 502, message: "The provider did not confirm who you are. Please try again." },
  STRIPE_UNREACHABLE: { status: 502, message: "Stripe did not respond. Please try again in a moment." },
  BILLING_UNAVAILABLE: {
    status: 503,
    message: "Paid plans are not available because billing is not configured on this server. Please contact support.",
  },
  PORTAL_NOT_CONFIGURED: {
    status: 503,
    message: "The Stripe Billing Portal is not set up for this account. Please contact support.",
  },
  HUMAN_CHECK_UNAVAILABLE: {
    status: 503,
    message: "We could not check that you are not a program. Please try again in a moment.",
  },
  GATE_UNAVAILABLE: {
    status: 503,
    message: "We could not check how many downloads this link has left. Please try again in a moment.",
  },
  OVERLOADED: { status: 503, message: "Too many files arrive at once. Please try again in a few seconds." },
  STORAGE_UNAVAILABLE: { status: 503, message: "Storage did not respond. Please try again in a moment." },
  DATABASE_BUSY: {
    status: 503,
    message: "Too much is going on here at the moment. Please try again in a few seconds.",
  },
  DATABASE_FULL: {
    status: 507,
    message:
      "There is no room for new entries here at the moment, so this was not done. Files can still be downloaded. Please tell whoever runs this site.",
  },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** An English message that replaces the code's default, and further fields for the response body. */
export interface ErrorDetails {
  message?: string;
  /** Set only with LINK_LOCKED: what locks the link. Only a sealed link has `salt` and `kdf`. */
  guard?: "password" | "sealed";
  salt?: string;
  kdf?: Kdf;
  [field: string]: unknown;
}

/** A value in a message. Sizes and expirations are formatted in the reader's language. */
export type MessageValue = string | number | { bytes: number } | { expiration: Expiration };

/** Names a message of the catalogues, which `worker/errors/translate-error.ts` translates. */
export interface LocalizedMessage {
  group: "errors" | SchemaGroup;
  name: string;
  values: Record<string, MessageValue>;
}

/** An error that the caller may see. All other errors become INTERNAL. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  /** Null for the code's default message, and for an English message that is meant for developers. */
  readonly localizedMessage: LocalizedMessage | null;

  constructor(code: ErrorCode, details: ErrorDetails = {}, localizedMessage: LocalizedMessage | null = null) {
    super(details.message ?? ERRORS[code].message);
    this.name = "AppError";
    this.code = code;
    this.details = details;
    this.localizedMessage = localizedMessage;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  /** Copies the error and adds fields to its response body. */
  with(fields: Record<string, unknown>): AppError {
    return new AppError(this.code, { ...this.details, ...fields }, this.localizedMessage);
  }

  toJSON(): Record<string, unknown> {
    return { ...this.details, message: this.message, code: this.code };
  }
}
