import { TriangleAlert } from "lucide-react";
import { useState, type ReactNode } from "react";
import { adminApi } from "#app/admin/api.ts";
import { refusalToast } from "#app/admin/refusal.ts";
import { useMessages } from "#app/messages/messages.ts";
import { formatBytes } from "#domain/units.ts";
import type { OrphanAlert } from "#domain/wire.ts";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { toast } from "../ui/toast.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { countOf } from "./list-panel.tsx";
import { Moment } from "./moment.tsx";

/** Says that many objects have no row, what that may mean, and lets an administrator confirm their deletion. */
export function OrphanNotice({ alert }: { alert: OrphanAlert }) {
  const say = useMessages("office");
  const [isAsking, setIsAsking] = useState(false);
  const counted = countOf(alert.orphans);
  return (
    <Card className="mb-5 border-danger!">
      <div role="alert" className="grid max-w-prose gap-3">
        <h3 className="flex items-center gap-2 text-lg font-medium">
          <TriangleAlert size={22} aria-hidden className="shrink-0 text-danger" />
          {say("orphanAlert")}
        </h3>
        <p>
          {say.rich<"orphanCount", ReactNode>("orphanCount", {
            ...{ ...counted, size: formatBytes(alert.bytes, say.locale) },
            date: () => <Moment key="date" at={alert.since} withTime />,
          })}
        </p>
        <p>{say("orphanCause")}</p>
        <p>{say("orphanAdvice")}</p>
      </div>
      <Button
        look="danger"
        className="mt-5 max-sm:w-full"
        onClick={() => {
          setIsAsking(true);
        }}
      >
        {say("approveOrphans")}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={say("approveOrphansQuestion")}
          description={say("approveOrphansHelp", counted)}
          action={say("approveOrphansNow")}
          acting={say("approvingOrphans")}
          run={() => adminApi.approveOrphans({ asOf: alert.asOf })}
          onDone={() => {
            toast({ title: say("orphansApproved"), description: say("orphansApprovedHelp") });
          }}
          onError={refusalToast(say("updateFailed"), say("approveOrphansFailed"))}
          onClose={() => {
            setIsAsking(false);
          }}
        />
      )}
    </Card>
  );
}
