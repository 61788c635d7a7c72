import type { AdminFile } from "#domain/wire.ts";

/** A file's name, that it has expired, and why it was taken down. */
export function FileName({ file }: { file: AdminFile }) {
  return (
    <>
      <span className="font-medium break-all">{file.filename}</span>
      {file.adminDeleted ? (
        <span className="block text-xs text-danger">
          {file.takedownReason === null ? "Removed by an administrator" : `Taken down: ${file.takedownReason}`}
        </span>
      ) : (
        file.isExpired && <span className="block text-xs text-muted">Expired</span>
      )}
    </>
  );
}
