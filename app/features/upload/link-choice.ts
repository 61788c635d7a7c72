import type { ProtectionDraft } from "#app/ui/protection/protection-draft.ts";
import { DEFAULT_EXPIRATION, type Expiration } from "#domain/expiry.ts";
import type { PlanId } from "#domain/plans.ts";
import type { ProtectionAtStart, LinkProtection } from "#domain/wire.ts";
import type { UploadOptions } from "#engine/upload-types.ts";

/** What a person chooses for a link before it starts. */
interface LinkChoice {
  expiration: Expiration;
  /** False for the untouched default, to which the rule for large files applies. */
  expirationChosen: boolean;
  guards: ProtectionDraft;
  /** Whether the server would refuse them. Nothing is sent before they are right. */
  isProtectionWrong: boolean;
  /** What is sent is encrypted: exactly when the card says so. Absent before the page runs. */
  isSealed?: boolean;
}

export const NO_PROTECTION: ProtectionDraft = { password: "", limit: "" };

export const DEFAULT_CHOICE: LinkChoice = {
  expiration: DEFAULT_EXPIRATION,
  expirationChosen: false,
  guards: NO_PROTECTION,
  isProtectionWrong: false,
};

/** What a card begins with: what was chosen last in this browser (`chosen-protection.tsx`), which can encrypt over TLS alone. */
export function wasSealed(): boolean {
  return isSecureContext && document.cookie.includes("sealed=1");
}

/** @param choice whose protection is right */
export function optionsOf({
  expiration,
  expirationChosen,
  guards: { password, limit },
  isSealed,
}: LinkChoice): UploadOptions {
  const isGuarded = password !== "" || limit !== "";
  return {
    expiration,
    expirationChosen,
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

/** What this tab knows about the protection of its link. */
export interface KnownProtection {
  /** Absent for a link without protection. */
  guards?: LinkProtection | undefined;
  /** Absent when it was not typed in this tab. In memory alone. */
  password?: string | undefined;
  /** A new password changes the end of a sealed link. */
  shareUrl: string;
}

/** What another start of the same upload names: it may have to begin with a new link. */
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
