import type { ReactNode } from "react";
import { useChange } from "#app/features/admin/use-change.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";

interface ConfirmDialogProps {
  title: string;
  description: ReactNode;
  /** What the button says, and what it says while it is being done. */
  action: string;
  acting: string;
  /** Whether something is lost by it; so it is when left out. */
  isLoss?: boolean;
  run(): Promise<unknown>;
  onDone(): void;
  onError(error: unknown): void;
  onClose(): void;
}

/** Asks before something is lost, or given away. It stays open where that failed. */
export function ConfirmDialog({ title, description, action, acting, isLoss = true, run, ...on }: ConfirmDialogProps) {
  const t = useMessages("admin");
  const change = useChange({
    change: run,
    onError: on.onError,
    onDone: () => {
      on.onDone();
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
          look={isLoss ? "danger" : "primary"}
          disabled={change.isPending}
          onClick={() => {
            change.mutate();
          }}
        >
          {change.isPending ? acting : action}
        </Button>
      </div>
    </Dialog>
  );
}
