import { isDownloadLimit, MAX_DOWNLOADS, normalizeLinkPassword } from "#domain/guards/link-guards.ts";
import { SEALED_PASSWORD_MIN_LENGTH } from "#domain/seal/password.ts";
import type { MessageName } from "#messages/messages.ts";

/** What a person types into the guards' fields. An empty field is no guard. */
export interface GuardsDraft {
  password: string;
  /** Downloads after which the link ends, in digits. */
  limit: string;
}

type GuardErrors = Partial<Record<keyof GuardsDraft, MessageName<"fields">>>;

export interface GuardRules {
  /** An empty password is an error. */
  needsPassword?: boolean;
  /** The password of a sealed link is longer. */
  isSealed?: boolean;
}

/** @returns the message of each field that would be refused */
export function findGuardErrors(
  { password, limit }: GuardsDraft,
  { needsPassword = false, isSealed = false }: GuardRules = {},
): GuardErrors {
  const normal = normalizeLinkPassword(password);
  const isLong = normal !== null && (!isSealed || Array.from(normal).length >= SEALED_PASSWORD_MIN_LENGTH);
  const isPassword = password === "" ? !needsPassword : isLong;
  const isLimit = /^\d+$/.test(limit) && isDownloadLimit(Number(limit));
  return {
    ...(isPassword ? {} : { password: "linkPasswordLength" }),
    ...(limit === "" || isLimit ? {} : { limit: "maxDownloadsRange" }),
  };
}

/** Whether anything would be refused. */
export function areWrong(draft: GuardsDraft, isSealed: boolean): boolean {
  return Object.keys(findGuardErrors(draft, { isSealed })).length > 0;
}

/** One download more or fewer, as far as limits go. Below one is no limit, and what is no number counts as none. */
export function stepLimit(limit: string, step: 1 | -1): string {
  const next = (/^\d+$/.test(limit) ? Number(limit) : 0) + step;
  return next < 1 ? "" : String(Math.min(next, MAX_DOWNLOADS));
}
