import type { ReactNode } from "react";
import { useAdminMutation } from "./admin-changes.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useAtWork } from "#app/lib/confirming.ts";
import { Question } from "#app/ui/dialog.tsx";

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
  const isAtWork = useAtWork(change.isPending);
  return (
    <Question
      title={title}
      text={description}
      yes={isAtWork ? pendingLabel : action}
      no={t("cancel")}
      isBusy={change.isPending}
      look={isDestructive ? "danger" : "primary"}
      onYes={() => change.mutate()}
      onClose={on.onClose}
    />
  );
}
