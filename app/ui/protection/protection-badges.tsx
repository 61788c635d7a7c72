import { Download, KeyRound, LockKeyhole } from "lucide-react";
import type { ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Badge } from "#app/ui/badge.tsx";
import type { LinkProtection } from "#domain/wire.ts";

interface ProtectionBadgesProps {
  guards: LinkProtection;
  /** Whether unfinished downloads use up the limit, so that nobody can start another download. */
  isWaiting?: boolean;
}

/** A link's protection, as badges in a list of files. */
export function ProtectionBadges({ guards, isWaiting = false }: ProtectionBadgesProps) {
  const t = useMessages("guards");
  const { password, sealed, maxDownloads, downloadsUsed, isUsedUp } = guards;
  const counts = { used: downloadsUsed, count: maxDownloads ?? 0 };
  return (
    <span className="mt-1 flex flex-wrap gap-1.5">
      {sealed && (
        <ProtectionBadge icon={<KeyRound size={12} aria-hidden />} says={t("isSealed")}>
          {t("sealed")}
        </ProtectionBadge>
      )}
      {password && (
        <ProtectionBadge icon={<LockKeyhole size={12} aria-hidden />} says={t("hasPassword")}>
          {t("password")}
        </ProtectionBadge>
      )}
      {maxDownloads !== null && !isUsedUp && (
        <ProtectionBadge icon={<Download size={12} aria-hidden />} says={t("saysUsed", counts)}>
          {t("used", counts)}
        </ProtectionBadge>
      )}
      {isUsedUp && (
        <ProtectionBadge tone="bad" says={t("saysUsedUp")}>
          {t("usedUp")}
        </ProtectionBadge>
      )}
      {isWaiting && !isUsedUp && (
        <ProtectionBadge tone="warn" says={t("saysWaiting")}>
          {t("waiting")}
        </ProtectionBadge>
      )}
    </span>
  );
}

interface ProtectionBadgeProps {
  icon?: ReactNode;
  tone?: "plain" | "warn" | "bad";
  /** The text for screen readers and the tooltip. */
  says: string;
  children: string;
}

function ProtectionBadge({ icon, tone = "plain", says, children }: ProtectionBadgeProps) {
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
