import { lazy } from "react";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import type { PlanId } from "#domain/plans.ts";
import type { ListedUploadRequest } from "#domain/wire.ts";

const RequestForm = lazy(() => importWhenOnline(() => import("./request-form.client.tsx")));
const EmbedDialog = lazy(() => importWhenOnline(() => import("./embed-dialog.client.tsx")));
const RequestLink = lazy(() => importWhenOnline(() => import("./request-link.client.tsx")));
const RequestQuestion = lazy(() => importWhenOnline(() => import("./request-question.client.tsx")));

/** The dialog above the list. `made`: a new request's link. `sites`: the request's form, at the field for websites. */
export type RequestAction =
  | { kind: "create" }
  | { kind: "made" | "change" | "qr" | "embed" | "sites" | "close" | "delete"; request: ListedUploadRequest };

interface RequestDialogsProps {
  action: RequestAction;
  plan: PlanId;
  onAction(action: RequestAction): void;
  onClose(): void;
}

/** The dialogs of a request. Each dialog loads its script when opened. */
export function RequestDialogs({ action, plan, onAction, onClose }: RequestDialogsProps) {
  switch (action.kind) {
    case "create":
      return (
        <RequestForm
          request={null}
          plan={plan}
          onMade={(request) => onAction({ kind: "made", request })}
          onClose={onClose}
        />
      );
    case "change":
      return <RequestForm request={action.request} plan={plan} onMade={onClose} onClose={onClose} />;
    case "sites":
      return (
        <RequestForm
          request={action.request}
          plan={plan}
          startsAtSites
          onMade={(request) => onAction({ kind: "embed", request })}
          onClose={onClose}
        />
      );
    case "made":
    case "qr":
      return <RequestLink request={action.request} isNew={action.kind === "made"} onClose={onClose} />;
    case "embed":
      return (
        <EmbedDialog
          request={action.request}
          onChange={() => onAction({ kind: "sites", request: action.request })}
          onClose={onClose}
        />
      );
    case "close":
    case "delete":
      return <RequestQuestion kind={action.kind} request={action.request} onClose={onClose} />;
  }
}
