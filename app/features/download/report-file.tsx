import { Flag } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useHydrated } from "#app/lib/clock.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import type { Reported } from "./report-dialog.client.tsx";

const ReportDialog = lazy(() => importWhenOnline(() => import("./report-dialog.client.tsx")));

export function ReportFile(reported: Reported) {
  const [open, setOpen] = useState(false);
  const hydrated = useHydrated();
  return (
    <p className="mt-5 text-center">
      <button
        type="button"
        // The button is disabled before hydration, when a click would be lost.
        disabled={!hydrated}
        className="inline-flex min-h-11 items-center gap-1.5 text-sm text-muted underline-offset-4 hover:underline"
        onClick={() => setOpen(true)}
      >
        <Flag size={14} aria-hidden />
        {reported.label}
      </button>
      {open && (
        <Suspense>
          <ReportDialog {...reported} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </p>
  );
}
