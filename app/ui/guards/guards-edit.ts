import type { ChangeGuards, LinkGuardsNow } from "#domain/wire.ts";
import type { MessageName } from "#messages/messages.ts";
import type { GuardsDraft } from "./guards-draft.ts";

/** What a person is changing about the guards of a link. */
export interface GuardsEdit {
  draft: GuardsDraft;
  /** What becomes of the password. A link without one has nothing to keep. */
  password: "keep" | "change" | "remove";
}

export interface GuardsWarning {
  message: MessageName<"guards"> & ("newPasswordWarning" | "removeWarning" | "endWarning");
  /** Downloads that have been made. */
  used: number;
}

export function startEdit({ password, maxDownloads }: LinkGuardsNow): GuardsEdit {
  const limit = maxDownloads === null ? "" : String(maxDownloads);
  return { draft: { password: "", limit }, password: password ? "keep" : "change" };
}

/** @param edit without errors @returns empty when nothing changes */
export function changeOf({ draft, password }: GuardsEdit, now: LinkGuardsNow): ChangeGuards {
  const maxDownloads = draft.limit === "" ? null : Number(draft.limit);
  return {
    ...(password === "remove" ? { password: null } : {}),
    ...(password === "change" && draft.password !== "" ? { password: draft.password } : {}),
    ...(maxDownloads === now.maxDownloads ? {} : { maxDownloads }),
  };
}

/** What somebody loses by the change. */
export function warningsOf({ password, maxDownloads }: ChangeGuards, now: LinkGuardsNow): GuardsWarning[] {
  const used = now.downloadsUsed;
  const endsLink = typeof maxDownloads === "number" && maxDownloads <= used && !now.isUsedUp;
  return [
    ...(typeof password === "string" && now.password ? [{ message: "newPasswordWarning", used } as const] : []),
    ...(password === null ? [{ message: "removeWarning", used } as const] : []),
    ...(endsLink ? [{ message: "endWarning", used } as const] : []),
  ];
}
