import type { ReactNode } from "react";
import { useAdminMutation } from "#app/features/admin/use-admin-mutation.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";

interface ConfirmDialogProps {
  title: string;
  description: ReactNode;
  /** The button's label, and its label while the action runs. */
  action: string;
  pendingLabel: string;
  /** Default: true, which shows a red button. */
  isDestructive?: boolean;
  run(): Promise<unknown>;
  onSuccess(): void;
  onError(error: unknown): void;
  onClose(): void;
}

/** Stays open if the action fails. */
export function ConfirmDialog({
  title,
  description,
  action,
  pendingLabel,
  isDestructive = true,
  run,
  ...on
}: ConfirmDialogProps) {
  const t = useMessages("admin");
  const change = useAdminMutation({
    change: run,
    onError: on.onError,
    onSuccess: () => {
      on.onSuccess();
      on.onClose();
    },
  });
  return (
    <Dialog title={title} description={description} onClose={on.onClose}>
      <div className="grid grid-cols-2 gap-3">
        <Button look="quiet" onClick={on.onClose}>
          {t("cancel")}
        </Button>
        <Button
          look={isDestructive ? "danger" : "primary"}
          disabled={change.isPending}
          onClick={() => {
            change.mutate();
          }}
        >
          {change.isPending ? pendingLabel : action}
        </Button>
      </div>
    </Dialog>
  );
}
