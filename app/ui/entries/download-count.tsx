import { Download } from "lucide-react";
import { useMessages } from "#app/lib/i18n/messages.ts";

/** How often one file of a transfer was downloaded by itself, in little room. */
export function DownloadCount({ count }: { count: number }) {
  const t = useMessages("transfers");
  const text = t("entryDownloads", { count });
  return (
    <span className="inline-flex items-center gap-1" title={text}>
      <Download size={14} aria-hidden />
      <span aria-hidden>{count.toLocaleString(t.locale)}</span>
      <span className="sr-only">{text}</span>
    </span>
  );
}
