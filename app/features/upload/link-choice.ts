import type { ProtectionDraft } from "#app/ui/protection/protection-draft.ts";
import { DEFAULT_EXPIRATION, type Expiration } from "#domain/expiry.ts";
import type { PlanId } from "#domain/plans.ts";
import type { ProtectionAtStart, LinkProtection } from "#domain/wire.ts";
import type { UploadOptions } from "#engine/upload-types.ts";

/** A person's choices for a link, made before its upload starts. */
export interface LinkChoice {
  expiration: Expiration;
  /** False for the unchanged default, to which the rule for large files applies. */
  expirationChosen: boolean;
  /** The exact end, as `EndField` has it. Absent if `expiration` decides. */
  end?: string | undefined;
  /** Whether the server would refuse `end`. Nothing is sent until the person has corrected `end`. */
  isEndWrong: boolean;
  guards: ProtectionDraft;
  /** Whether the server would refuse `guards`. Nothing is sent until the person has corrected `guards`. */
  isProtectionWrong: boolean;
  /** Whether the switch for encryption is on. Absent before the page's scripts run. */
  isSealed?: boolean;
}

export const NO_PROTECTION: ProtectionDraft = { password: "", limit: "" };

export const DEFAULT_CHOICE: LinkChoice = {
  expiration: DEFAULT_EXPIRATION,
  expirationChosen: false,
  isEndWrong: false,
  guards: NO_PROTECTION,
  isProtectionWrong: false,
};

/**
 * Whether the last upload of this browser was sealed (`chosen-protection.tsx`), which is the default. Only pages over
 * TLS can encrypt.
 */
export function wasSealed(): boolean {
  return isSecureContext && document.cookie.includes("sealed=1");
}

/** Whether the server would refuse the choice, because of its end or its protection. */
export function isChoiceWrong({ isEndWrong, isProtectionWrong }: LinkChoice): boolean {
  return isEndWrong || isProtectionWrong;
}

/** The engine's options for a choice. @param choice has a valid end and a valid protection */
export function optionsOf({
  expiration,
  expirationChosen,
  end,
  guards: { password, limit },
  isSealed,
}: LinkChoice): UploadOptions {
  const isGuarded = password !== "" || limit !== "";
  return {
    expiration,
    expirationChosen,
    ...(end === undefined ? {} : { expiresAt: new Date(end).toISOString() }),
    ...(isGuarded ? { guards: { password: password || undefined, maxDownloads: Number(limit) || undefined } } : {}),
    ...(isSealed ? { sealed: true } : {}),
  };
}

export interface LinkChoiceProps {
  wording: Wording;
  plan: PlanId;
  choice: LinkChoice;
  onChoice(choice: LinkChoice): void;
}

/** The protection of a link, as this tab knows it. */
export interface KnownProtection {
  /** Absent for a link without protection. */
  guards?: LinkProtection | undefined;
  /** Absent if the password was not typed in this tab. Kept in memory alone. */
  password?: string | undefined;
  /** The link's URL. A new password of a sealed link changes the fragment of its URL. */
  shareUrl: string;
}

/** The protection for a repeated start of the same upload, which may get a new link. */
export function protectionAgain({ guards, password }: Omit<KnownProtection, "shareUrl">): ProtectionAtStart {
  return { password, maxDownloads: guards?.maxDownloads ?? undefined };
}

/** Message names that differ between the home card and the cards of the two upload pages. */
export const HOME_WORDING = {
  expiration: "homeExpiration",
  cancel: "homeCancel",
  done: "homeDone",
  shareLink: "homeShareLink",
} as const;

export const PAGE_WORDING = {
  expiration: "pageExpiration",
  cancel: "pageCancel",
  done: "pageDone",
  shareLink: "pageShareLink",
} as const;

export type Wording = typeof HOME_WORDING | typeof PAGE_WORDING;
