import { lazy, Suspense } from "react";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import type { ReceivedTransfer } from "#domain/wire.ts";

const ForwardDialog = lazy(() => importWhenOnline(() => import("./forward-dialog.client.tsx")));
const MakeLink = lazy(() => importWhenOnline(() => import("./make-link.client.tsx")));
const DeleteReceived = lazy(() => importWhenOnline(() => import("./delete-received.client.tsx")));
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

export function ReceivedDialogs(props: ReceivedDialogsProps) {
  return (
    <Suspense>
      <OpenDialog {...props} />
    </Suspense>
  );
}

function OpenDialog({ action: { kind, transfer }, onAction, onClose }: ReceivedDialogsProps) {
  switch (kind) {
    case "make-link":
      return (
        <MakeLink transfer={transfer} onMade={(made) => onAction({ kind: "link", transfer: made })} onClose={onClose} />
      );
    case "link":
      return <ForwardDialog transfer={transfer} onClose={onClose} />;
    case "delete":
      return <DeleteReceived transfer={transfer} onClose={onClose} />;
    case "refuse":
      return <RefuseSender transfer={transfer} onClose={onClose} />;
  }
}
