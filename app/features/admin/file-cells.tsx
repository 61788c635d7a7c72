import { Link, useLocation } from "@remix-run/react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { ProtectionBadges } from "#app/ui/protection/protection-badges.tsx";
import type { AdminFile } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";

/** @returns a file's name, a transfer's title, or a fixed text for a sealed link, whose names the server cannot read */
export function nameOf({ filename, title, seal }: AdminFile, t: Translate<"admin">): string {
  return seal ? t("encryptedTransfer") : (title ?? filename);
}

export function FileName({ file }: { file: AdminFile }) {
  const t = useMessages("admin");
  return (
    <>
      <span className="font-medium wrap-anywhere">{nameOf(file, t)}</span>
      {file.entries !== undefined && <EntryCount count={file.entries} />}
      {file.adminDeleted ? (
        <span className="block text-xs text-danger">
          {file.takedownReason === null ? t("removedByAdmin") : t("takenDownFor", { reason: file.takedownReason })}
        </span>
      ) : (
        file.isExpired && <span className="block text-xs text-muted">{t("expired")}</span>
      )}
      {file.guards && <ProtectionBadges guards={file.guards} />}
    </>
  );
}

export function EntryCount({ count }: { count: number }) {
  const t = useMessages("admin");
  return <span className="block text-xs text-muted">{t("fileCount", { count, more: "" })}</span>;
}

/** A link to the account's files. @param userId null for a visitor */
export function UserLink({ userId }: { userId: string | null }) {
  const t = useMessages("admin");
  const { pathname } = useLocation();
  if (userId === null) return <span className="text-muted">{t("visitor")}</span>;
  return (
    <Link
      to={`${pathname}?${new URLSearchParams({ tab: "files", user: userId })}`}
      className="font-mono text-xs break-words text-reed underline-offset-4 hover:underline"
    >
      {userId}
    </Link>
  );
}
