import { requestTranslator } from "#app/lib/i18n/messages.server.ts";
import type { DownloadView } from "#worker/page-types.ts";
import type { Refusal } from "../refusal.ts";

/** A wait of up to this length is shown in seconds, as the API does; a longer wait in minutes. */
const MAX_TOLD_SECONDS = 90;

/** The refusals of the two forms that a page without scripts posts. */
const OF_UNLOCKING = ["LINK_PASSWORD_WRONG", "RATE_LIMITED", "LINK_LOCKED"] as const;
const OF_TAKING = [
  "RATE_LIMITED",
  "DOWNLOADS_BUSY",
  "ATTEMPTS_USED_UP",
  "DOWNLOADS_USED_UP",
  "GATE_UNAVAILABLE",
] as const;
type Code = (typeof OF_UNLOCKING)[number] | (typeof OF_TAKING)[number];

/** @returns the refusal that `?refused=CODE&wait=SECONDS` names; null for a code that the view's form cannot get */
export function readRefusal(request: Request, view: DownloadView): Refusal | null {
  const { searchParams } = new URL(request.url);
  const code = codesOf(view).find((one) => one === searchParams.get("refused"));
  if (code === undefined) return null;
  const wait = searchParams.get("wait") ?? "";
  const waitSeconds = /^\d{1,6}$/.test(wait) ? Number(wait) : null;
  return { code, message: messageOf(request, view, code, waitSeconds), waitSeconds };
}

function codesOf(view: DownloadView): readonly Code[] {
  if (view.kind === "locked") return OF_UNLOCKING;
  return view.kind === "file" && view.info.guards ? OF_TAKING : [];
}

function messageOf(request: Request, view: DownloadView, code: Code, waitSeconds: number | null): string {
  const t = requestTranslator(request, "errors");
  if (code === "LINK_LOCKED") return requestTranslator(request, "guardedLinks")("lockedAgain");
  const limit = view.kind === "file" ? (view.info.guards?.maxDownloads ?? null) : null;
  if (code === "DOWNLOADS_USED_UP" && limit !== null) return t("downloadsUsedUp", { count: limit });
  if (waitSeconds === null) return t(code);
  const minutes = Math.ceil(waitSeconds / 60);
  if (code === "DOWNLOADS_BUSY") return t("downloadsBusy", { count: minutes });
  if (code !== "RATE_LIMITED") return t(code);
  return waitSeconds <= MAX_TOLD_SECONDS
    ? t("tooOftenSeconds", { count: waitSeconds })
    : t("tooOftenMinutes", { count: minutes });
}
