import { isDownloadLimit, MAX_DOWNLOADS } from "#domain/guards/download-limit.ts";
import { normalizeLinkPassword } from "#domain/guards/password.ts";
import type { FieldMessage } from "#domain/field-messages.ts";

/** What a person types into the guards' fields. An empty field is no guard. */
export interface GuardsDraft {
  password: string;
  /** Downloads after which the link ends, in digits. */
  limit: string;
}

type GuardErrors = Partial<Record<keyof GuardsDraft, FieldMessage>>;

/** @param needsPassword an empty one is an error @returns the message of each field that the server would refuse */
export function findGuardErrors({ password, limit }: GuardsDraft, needsPassword = false): GuardErrors {
  const isPassword = password === "" ? !needsPassword : normalizeLinkPassword(password) !== null;
  const isLimit = /^\d+$/.test(limit) && isDownloadLimit(Number(limit));
  return {
    ...(isPassword ? {} : { password: "linkPasswordLength" }),
    ...(limit === "" || isLimit ? {} : { limit: "maxDownloadsRange" }),
  };
}

/** One download more or fewer, as far as limits go. Below one is no limit, and what is no number counts as none. */
export function stepLimit(limit: string, step: 1 | -1): string {
  const next = (/^\d+$/.test(limit) ? Number(limit) : 0) + step;
  return next < 1 ? "" : String(Math.min(next, MAX_DOWNLOADS));
}
