import { Flag } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useHydrated } from "#app/lib/clock.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";

const ReportDialog = lazy(() => importWhenOnline(() => import("./report-dialog.tsx")));

export function ReportFile({ downloadId, filename }: { downloadId: string; filename: string }) {
  const t = useMessages("download");
  const [open, setOpen] = useState(false);
  const hydrated = useHydrated();
  return (
    <p className="mt-5 text-center">
      <button
        type="button"
        // Before hydration a click would be lost.
        disabled={!hydrated}
        className="inline-flex min-h-11 items-center gap-1.5 text-sm text-muted underline-offset-4 hover:underline"
        onClick={() => {
          setOpen(true);
        }}
      >
        <Flag size={14} aria-hidden />
        {t("reportFile")}
      </button>
      {open && (
        <Suspense>
          <ReportDialog
            downloadId={downloadId}
            filename={filename}
            onClose={() => {
              setOpen(false);
            }}
          />
        </Suspense>
      )}
    </p>
  );
}
