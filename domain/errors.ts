import type { Expiration } from "./expiry.ts";

/** Every error code of the API, with its HTTP status and the message shown unless an error brings its own. */
export const ERRORS = {
  BAD_JSON: { status: 400, message: "The request body is not valid JSON." },
  TOKEN_INVALID: { status: 400, message: "This link has been used or has run out. Ask for a new one." },
  BAD_REQUEST: { status: 400, message: "The request is not valid." },
  REDIRECT_REFUSED: { status: 400, message: "The page to come back to has to be one of ours." },
  SIGNATURE_INVALID: { status: 400, message: "The signature is missing, wrong or too old." },
  UNAUTHORIZED: { status: 401, message: "You need to log in to access this feature." },
  INVALID_CREDENTIALS: { status: 401, message: "The e-mail address or the password is not right." },
  ADMIN_CREDENTIALS: { status: 401, message: "Invalid credentials" },
  PAYMENT_REQUIRED: {
    status: 402,
    message: "This plan has not been paid for. Nothing was changed. If you have just paid, try again in a minute.",
  },
  FORBIDDEN: { status: 403, message: "You are not allowed to do this." },
  ADMIN_REQUIRED: { status: 403, message: "Only administrators can do this. Log in as one first." },
  CROSS_SITE: { status: 403, message: "This request came from another site and was refused." },
  HTTPS_REQUIRED: { status: 403, message: "This address answers over https:// only. Nothing was changed." },
  WRONG_PASSWORD: { status: 403, message: "The current password is not right." },
  EMAIL_UNVERIFIED: {
    status: 403,
    message: "Please verify your email before logging in. Check your inbox for the verification link.",
  },
  PLAN_LIMIT_EXCEEDED: { status: 403, message: "This is more than your plan allows." },
  NOT_FOUND: { status: 404, message: "There is nothing at this address." },
  FILE_NOT_FOUND: { status: 404, message: "This file does not exist, or its link is wrong." },
  SLUG_TAKEN: { status: 409, message: "There is a page with this slug already." },
  SEO_PAGE_TAKEN: { status: 409, message: "This page has SEO content already." },
  CHECKOUT_NOT_FOUND: { status: 404, message: "There is no such checkout of yours. Nothing was changed." },
  CUSTOMER_MISSING: {
    status: 404,
    message: "Your customer record was not found in Stripe. Please contact support.",
  },
  ALREADY_ON_PLAN: { status: 409, message: "You're already on this plan." },
  LAST_ADMIN: {
    status: 409,
    message: "This is the last administrator with an account. Make somebody else an administrator first.",
  },
  REPORT_SETTLED: { status: 409, message: "This report has been settled already." },
  EMAIL_TAKEN: { status: 409, message: "Email already registered" },
  UPLOAD_UNFINISHED: { status: 409, message: "This file is still being uploaded. Try again when it is ready." },
  UPLOAD_FINISHED: { status: 409, message: "This upload has already finished." },
  CHUNK_CONFLICT: { status: 409, message: "This chunk was sent before with other bytes." },
  UPLOAD_CLOSED: { status: 409, message: "This upload was cancelled or has failed. Start it again." },
  FILE_EXPIRED: { status: 410, message: "This file has expired and can no longer be downloaded." },
  BODY_TOO_LARGE: { status: 413, message: "The request is too large." },
  CHUNK_TOO_LARGE: { status: 413, message: "The chunk is larger than this upload takes." },
  FILE_TOO_LARGE: { status: 413, message: "This file is larger than any plan allows." },
  LENGTH_REQUIRED: { status: 411, message: "Send this request with its Content-Length." },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: "Send this request as application/json." },
  NO_PREVIEW: { status: 415, message: "Files of this kind are not previewed. Download the file to open it." },
  RANGE_NOT_SATISFIABLE: { status: 416, message: "The requested range lies outside the file." },
  UPLOAD_INCOMPLETE: { status: 422, message: "Some of the file has not arrived in storage yet." },
  OBJECT_MISMATCH: {
    status: 422,
    message: "What arrived in storage is not the file that was announced. It was deleted. Please upload it again.",
  },
  UPGRADE_REQUIRED: { status: 426, message: "This address is for WebSocket connections." },
  RATE_LIMITED: { status: 429, message: "That was too often. Please wait a moment and try again." },
  INTERNAL: { status: 500, message: "Something went wrong on our side. Please try again." },
  CORS_UPDATE_FAILED: {
    status: 502,
    message: "Failed to update S3 CORS settings. Please try again later.",
  },
  TEST_MAIL_FAILED: {
    status: 502,
    message: "There was an error sending the test email. Check the logs for details.",
  },
  STRIPE_UNREACHABLE: { status: 502, message: "Stripe did not answer. Please try again in a moment." },
  BILLING_UNAVAILABLE: {
    status: 503,
    message: "Plans cannot be bought here yet: payments are not set up. Please contact support.",
  },
  PORTAL_NOT_CONFIGURED: {
    status: 503,
    message: "The Stripe Billing Portal is not set up for this account. Please contact support.",
  },
  STORAGE_UNAVAILABLE: { status: 503, message: "Storage did not answer. Please try again in a moment." },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** An English message that replaces the code's own, and further fields for the response body. */
export interface ErrorDetails {
  message?: string;
  [field: string]: unknown;
}

/** A value in a message. Sizes and expirations are formatted in the reader's language. */
export type MessageValue = string | number | { bytes: number } | { expiration: Expiration };

/** Names a message of the catalogues, which `worker/errors/translate-error.ts` translates. */
export interface LocalizedMessage {
  group: "errors" | "fields" | "inputs" | "recordFields";
  name: string;
  values: Record<string, MessageValue>;
}

/** An error that the caller may see. Anything else that is thrown becomes INTERNAL. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  /** Null when the code's own message is used, or an English one for developers. */
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

  /** The response body: `{message, code}` and the details' fields. */
  toJSON(): Record<string, unknown> {
    return { ...this.details, message: this.message, code: this.code };
  }
}
