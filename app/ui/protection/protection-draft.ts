import { isDownloadLimit, MAX_DOWNLOADS, normalizeLinkPassword } from "#domain/protection/link-protection.ts";
import { SEALED_PASSWORD_MIN_LENGTH } from "#domain/seal/password.ts";
import type { MessageName } from "#messages/messages.ts";

/** The text in the fields of a link's protection. An empty field sets no protection. */
export interface ProtectionDraft {
  password: string;
  /** The number of downloads after which the link ends, in digits. */
  limit: string;
}

type ProtectionErrors = Partial<Record<keyof ProtectionDraft, MessageName<"fields">>>;

export interface ProtectionRules {
  /** An empty password is an error. */
  needsPassword?: boolean;
  /** A sealed link needs a longer password. */
  isSealed?: boolean;
}

/** @returns an error message for each field that the server would refuse */
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

/** Whether the server would refuse a field. */
export function areWrong(draft: ProtectionDraft, isSealed: boolean): boolean {
  return Object.keys(findProtectionErrors(draft, { isSealed })).length > 0;
}

/**
 * Adds or subtracts one, up to `MAX_DOWNLOADS`. A result below 1 is "", which means no limit. Text that is no number
 * counts as 0.
 */
export function stepLimit(limit: string, step: 1 | -1): string {
  const next = (/^\d+$/.test(limit) ? Number(limit) : 0) + step;
  return next < 1 ? "" : String(Math.min(next, MAX_DOWNLOADS));
}
