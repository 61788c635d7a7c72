import type { ReactNode } from "react";
import { useLocale } from "#app/lib/i18n/messages.ts";
import { formatBytes } from "#domain/units.ts";
import type { DownloadInfo } from "#domain/wire.ts";
import { FileIcon } from "#app/ui/file-icon.tsx";

interface FileHeadingProps {
  info: DownloadInfo;
  state: ReactNode;
}

export function FileHeading({ info, state }: FileHeadingProps) {
  return (
    <div className="flex items-start gap-4">
      <span className="grid size-14 shrink-0 place-items-center rounded-2xl bg-sunken text-reed">
        <FileIcon filename={info.filename} size={28} />
      </span>
      <div className="min-w-0">
        {state}
        <h1 className="font-display text-2xl leading-tight font-semibold break-words sm:text-3xl">{info.filename}</h1>
        <p className="mt-1 text-muted">{formatBytes(info.size, useLocale())}</p>
      </div>
    </div>
  );
}
