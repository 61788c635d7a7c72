import { useMessages } from "#app/lib/i18n/messages.ts";
import { useOnline } from "#app/lib/online.ts";

/** Part of the frame, because toasts may not have been loaded yet when the line breaks. */
export function OfflineNotice() {
  const t = useMessages("common");
  const online = useOnline();
  return (
    <div role="status" className="sticky top-0 z-10">
      {!online && (
        <p className="border-b border-amber bg-sunken px-4 py-2.5 text-center text-sm">{t("offlineNotice")}</p>
      )}
    </div>
  );
}
