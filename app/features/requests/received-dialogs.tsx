import { lazy } from "react";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import type { ReceivedTransfer } from "#domain/wire.ts";

const ForwardDialog = lazy(() => importWhenOnline(() => import("./forward-dialog.client.tsx")));
const ReceivedQuestion = lazy(() => importWhenOnline(() => import("./received-question.client.tsx")));
const RefuseSender = lazy(() => importWhenOnline(() => import("./refuse-sender.client.tsx")));

/** What is open above the list of received transfers. */
export interface ReceivedAction {
  kind: "make-link" | "link" | "delete" | "refuse";
  transfer: ReceivedTransfer;
}

interface ReceivedDialogsProps {
  action: ReceivedAction;
  onAction(action: ReceivedAction): void;
  onClose(): void;
}

/** Each loads when it opens. */
export function ReceivedDialogs({ action: { kind, transfer }, onAction, onClose }: ReceivedDialogsProps) {
  if (kind === "link") return <ForwardDialog transfer={transfer} onClose={onClose} />;
  if (kind === "refuse") return <RefuseSender transfer={transfer} onClose={onClose} />;
  const onMade = (made: ReceivedTransfer) => onAction({ kind: "link", transfer: made });
  return <ReceivedQuestion kind={kind} transfer={transfer} onMade={onMade} onClose={onClose} />;
}
