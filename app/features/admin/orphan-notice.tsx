import { TriangleAlert } from "lucide-react";
import { useState, type ReactNode } from "react";
import { adminApi } from "#app/features/admin/admin-api.ts";
import { adminErrorToast } from "#app/features/admin/admin-errors.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { formatBytes } from "#domain/units.ts";
import type { OrphanAlert } from "#domain/wire.ts";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { toast } from "#app/ui/toast.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { countValues } from "./list-panel.tsx";
import { DateTime } from "./date-time.tsx";

/** Warns about too many orphans and lets an administrator approve their deletion (decision 023). */
export function OrphanNotice({ alert }: { alert: OrphanAlert }) {
  const t = useMessages("admin");
  const [isConfirming, setIsConfirming] = useState(false);
  const orphanCount = countValues(alert.orphans);
  return (
    <Card className="mb-5 border-danger!">
      <div role="alert" className="grid max-w-prose gap-3">
        <h3 className="flex items-center gap-2 text-lg font-medium">
          <TriangleAlert size={22} aria-hidden className="shrink-0 text-danger" />
          {t("orphanAlert")}
        </h3>
        <p>
          {t.rich<"orphanCount", ReactNode>("orphanCount", {
            ...orphanCount,
            size: formatBytes(alert.bytes, t.locale),
            date: () => <DateTime key="date" at={alert.since} withTime />,
          })}
        </p>
        <p>{t("orphanCause")}</p>
        <p>{t("orphanAdvice")}</p>
      </div>
      <Button
        look="danger"
        className="mt-5 max-sm:w-full"
        onClick={() => {
          setIsConfirming(true);
        }}
      >
        {t("approveOrphans")}
      </Button>
      {isConfirming && (
        <ConfirmDialog
          title={t("approveOrphansQuestion")}
          description={t("approveOrphansHelp", orphanCount)}
          action={t("approveOrphansNow")}
          pendingLabel={t("approvingOrphans")}
          run={() => adminApi.approveOrphans({ asOf: alert.asOf })}
          onSuccess={() => {
            toast({ title: t("orphansApproved"), description: t("orphansApprovedHelp") });
          }}
          onError={adminErrorToast(t("updateFailed"), t("approveOrphansFailed"))}
          onClose={() => {
            setIsConfirming(false);
          }}
        />
      )}
    </Card>
  );
}
