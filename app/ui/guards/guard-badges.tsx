import { Download, KeyRound, LockKeyhole } from "lucide-react";
import type { ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Badge } from "#app/ui/badge.tsx";
import type { LinkGuards } from "#domain/wire.ts";

interface GuardBadgesProps {
  guards: LinkGuards;
  /** Whether unfinished copies take up all downloads that are left. */
  isWaiting?: boolean;
}

/** The guards of a link in a list of files. */
export function GuardBadges({ guards, isWaiting = false }: GuardBadgesProps) {
  const t = useMessages("guards");
  const { password, sealed, maxDownloads, downloadsUsed, isUsedUp } = guards;
  const counts = { used: downloadsUsed, count: maxDownloads ?? 0 };
  return (
    <span className="mt-1 flex flex-wrap gap-1.5">
      {sealed && (
        <GuardBadge icon={<KeyRound size={12} aria-hidden />} says={t("isSealed")}>
          {t("sealed")}
        </GuardBadge>
      )}
      {password && (
        <GuardBadge icon={<LockKeyhole size={12} aria-hidden />} says={t("hasPassword")}>
          {t("password")}
        </GuardBadge>
      )}
      {maxDownloads !== null && !isUsedUp && (
        <GuardBadge icon={<Download size={12} aria-hidden />} says={t("saysUsed", counts)}>
          {t("used", counts)}
        </GuardBadge>
      )}
      {isUsedUp && (
        <GuardBadge tone="bad" says={t("saysUsedUp")}>
          {t("usedUp")}
        </GuardBadge>
      )}
      {isWaiting && !isUsedUp && (
        <GuardBadge tone="warn" says={t("saysWaiting")}>
          {t("waiting")}
        </GuardBadge>
      )}
    </span>
  );
}

interface GuardBadgeProps {
  icon?: ReactNode;
  tone?: "plain" | "warn" | "bad";
  /** For screen readers, and for a pointer that rests on it. */
  says: string;
  children: string;
}

function GuardBadge({ icon, tone = "plain", says, children }: GuardBadgeProps) {
  return (
    <Badge tone={tone} title={says}>
      <span className="inline-flex items-center gap-1">
        {icon}
        <span aria-hidden>{children}</span>
        <span className="sr-only">{says}</span>
      </span>
    </Badge>
  );
}
