import { useMessages } from "#app/lib/i18n/messages.ts";
import { Badge } from "#app/ui/badge.tsx";
import type { CaseKind } from "#domain/moderation/cases.ts";
import type { QueueCase } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import { DateTime } from "./date-time.tsx";
import { nameOf } from "./file-cells.tsx";

const TONES: Record<CaseKind, "bad" | "warn" | "plain"> = {
  report: "warn",
  scan: "bad",
  blocked: "bad",
  unusual: "plain",
  objection: "warn",
};

/** What a case is about: a file's name, or the account. */
export function subjectOf({ file, detail, kind }: QueueCase, t: Translate<"queue">, tAdmin: Translate<"admin">) {
  if (file) return nameOf(file, tAdmin);
  if (kind === "objection" && typeof detail["about"] === "string") return detail["about"];
  return t(kind === "objection" ? "noFile" : "goneFile");
}

export function CaseHead({ item }: { item: QueueCase }) {
  const t = useMessages("queue");
  return (
    <span className="flex flex-wrap items-center gap-2 text-sm">
      <Badge tone={TONES[item.kind]}>{t(item.kind)}</Badge>
      <Why item={item} />
      <span className="ml-auto flex items-center gap-2 text-xs text-muted">
        {item.count > 1 && <span>{t("times", { count: item.count })}</span>}
        <DateTime at={item.latestAt} withTime />
      </span>
    </span>
  );
}

/** The reason of a case in a few words. */
function Why({ item: { kind, detail } }: { item: QueueCase }) {
  const t = useMessages("queue");
  const tReason = useMessages("reportReasons");
  const { reason, limit, count } = detail;
  if (kind === "report" && typeof reason === "string") return <span>{tReason.named(reason) ?? reason}</span>;
  if (kind === "unusual" && typeof count === "number") {
    return <span>{t(limit === "recipients" ? "limitRecipients" : "limitDownloads", { count })}</span>;
  }
  if (kind === "objection") {
    return (
      <span>{detail["reader"] === "reporter" ? t("reporterObjects") : t("objectsTo", { reason: String(reason) })}</span>
    );
  }
  return <span className="wrap-anywhere">{Object.values(detail).join(" · ")}</span>;
}
