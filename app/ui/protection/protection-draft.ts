import { isDownloadLimit, MAX_DOWNLOADS, normalizeLinkPassword } from "#domain/protection/link-protection.ts";
import { SEALED_PASSWORD_MIN_LENGTH } from "#domain/seal/password.ts";
import type { MessageName } from "#messages/messages.ts";

/** What a person types into the fields of the protection. An empty field protects nothing. */
export interface ProtectionDraft {
  password: string;
  /** Downloads after which the link ends, in digits. */
  limit: string;
}

type ProtectionErrors = Partial<Record<keyof ProtectionDraft, MessageName<"fields">>>;

export interface ProtectionRules {
  /** An empty password is an error. */
  needsPassword?: boolean;
  /** The password of a sealed link is longer. */
  isSealed?: boolean;
}

/** @returns the message of each field that would be refused */
export function findProtectionErrors(
  { password, limit }: ProtectionDraft,
  { needsPassword = false, isSealed = false }: ProtectionRules = {},
): ProtectionErrors {
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
export function areWrong(draft: ProtectionDraft, isSealed: boolean): boolean {
  return Object.keys(findProtectionErrors(draft, { isSealed })).length > 0;
}

/** One download more or fewer, as far as limits go. Below one is no limit, and what is no number counts as none. */
export function stepLimit(limit: string, step: 1 | -1): string {
  const next = (/^\d+$/.test(limit) ? Number(limit) : 0) + step;
  return next < 1 ? "" : String(Math.min(next, MAX_DOWNLOADS));
}
