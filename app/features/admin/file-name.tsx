import { useMessages } from "#app/lib/i18n/messages.ts";
import type { AdminFile } from "#domain/wire.ts";

export function FileName({ file }: { file: AdminFile }) {
  const t = useMessages("admin");
  return (
    <>
      <span className="font-medium break-all">{file.filename}</span>
      {file.adminDeleted ? (
        <span className="block text-xs text-danger">
          {file.takedownReason === null ? t("removedByAdmin") : t("takenDownFor", { reason: file.takedownReason })}
        </span>
      ) : (
        file.isExpired && <span className="block text-xs text-muted">{t("expired")}</span>
      )}
    </>
  );
}
