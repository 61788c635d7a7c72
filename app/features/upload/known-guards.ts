import type { GuardsAtStart, LinkGuards } from "#domain/wire.ts";

/** What this tab knows about the guards of its link. */
export interface KnownGuards {
  /** Absent for a link without any. */
  guards?: LinkGuards | undefined;
  /** Absent when it was not typed in this tab. In memory alone. */
  password?: string | undefined;
  /** A new password changes the end of a sealed link. */
  shareUrl: string;
}

/** What another start of the same upload names: it may have to begin with a new link. */
export function guardsAgain({ guards, password }: Omit<KnownGuards, "shareUrl">): GuardsAtStart {
  return { password, maxDownloads: guards?.maxDownloads ?? undefined };
}
