import { Link, useLocation } from "@remix-run/react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { ProtectionBadges } from "#app/ui/protection/protection-badges.tsx";
import type { AdminFile } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";

/** A file's name, or a transfer's title: its file name is the ZIP's. We know no name of what is encrypted. */
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

/** How many files a transfer has. */
export function EntryCount({ count }: { count: number }) {
  const t = useMessages("admin");
  return <span className="block text-xs text-muted">{t("fileCount", { count, more: "" })}</span>;
}

/** Links to the account's files. @param userId null for a visitor */
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
