import type { GuardsAtStart, LinkGuards } from "#domain/wire.ts";

/** What this tab knows about the guards of its link. */
export interface KnownGuards {
  /** Absent for a link without any. */
  guards?: LinkGuards | undefined;
  /** Absent when it was not typed in this tab. In memory alone. */
  password?: string | undefined;
}

/** What another start of the same upload names: it may have to begin with a new link. */
export function guardsAgain({ guards, password }: KnownGuards): GuardsAtStart {
  return { password, maxDownloads: guards?.maxDownloads ?? undefined };
}
