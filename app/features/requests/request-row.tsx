import { Link, useNavigate } from "@remix-run/react";
import { useMutation } from "@tanstack/react-query";
import {
  Code,
  ExternalLink,
  FolderInput,
  Inbox,
  Link2,
  LockKeyhole,
  LockOpen,
  Pencil,
  QrCode,
  Share,
  Trash2,
} from "lucide-react";
import { useMoment } from "#app/lib/i18n/formats.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { Menu, MenuItem } from "#app/ui/menu.tsx";
import { shareNatively, useCanShare, useCopyLink } from "#app/ui/sharing/ways-to-share.ts";
import { toast } from "#app/ui/toast.ts";
import { formatBytes } from "#domain/units.ts";
import type { ListedUploadRequest, RequestState } from "#domain/wire.ts";
import type { RequestAction } from "./request-dialogs.tsx";
import { requestsApi, useRefreshRequests } from "./requests-api.ts";

const TONES = { open: "good", closed: "plain", expired: "plain", "over-plan": "warn" } as const satisfies Record<
  RequestState,
  string
>;

interface RequestRowProps {
  request: ListedUploadRequest;
  /** Whether the plan allows one more open request. */
  mayOpen: boolean;
  onAction(action: RequestAction): void;
}

export function RequestRow({ request, mayOpen, onAction }: RequestRowProps) {
  const { title, state, link } = request;
  const tSharing = useMessages("sharing");
  const t = useMessages("requests");
  const isOpen = state === "open";
  const copy = useCopyLink();
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-3 py-4">
      <span className="grid size-11 shrink-0 place-items-center rounded-xl bg-sunken text-reed">
        <FolderInput size={22} aria-hidden />
      </span>
      <div className="min-w-0 flex-1 basis-52">
        <h2 className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <span className="min-w-0 break-words">{title}</span>
          <Badge tone={TONES[state]}>{t(`state_${state}`)}</Badge>
        </h2>
        <RequestFacts request={request} />
      </div>
      <div className="flex gap-2">
        {isOpen && (
          <Button icon={Link2} look="quiet" onClick={() => void copy(link)}>
            {tSharing("copyLink")}
          </Button>
        )}
        <Button
          icon={Trash2}
          look="danger"
          className="px-3!"
          aria-label={t("deleteOf", { title })}
          onClick={() => onAction({ kind: "delete", request })}
        />
        <RequestMenu request={request} mayOpen={mayOpen} onAction={onAction} />
      </div>
    </li>
  );
}

/** A request's received files, limits and end. */
function RequestFacts({ request }: { request: ListedUploadRequest }) {
  const { receivedBytes, receivedTransfers, mostBytes, mostFileBytes, mostTransfers, kinds, origins } = request;
  const t = useMessages("requests");
  const size = (bytes: number) => formatBytes(bytes, t.locale);
  const bounds = [
    mostBytes !== null && t("ofBytes", { size: size(mostBytes) }),
    mostTransfers !== null && t("ofTransfers", { count: mostTransfers }),
    mostFileBytes !== null && t("ofFileBytes", { size: size(mostFileBytes) }),
    kinds !== null && t("ofKinds", { kinds: kinds.map((kind) => kind.toUpperCase()).join(", ") }),
    request.hasPassword && t("hasPassword"),
    origins.length > 0 && t("ofOrigins", { count: origins.length }),
  ].filter((bound) => bound !== false);
  return (
    <>
      <p className="text-sm text-muted">
        {receivedTransfers === 0 ? (
          t("receivedNone")
        ) : (
          <Link
            to={`/dashboard/received?request=${request.id}`}
            className="text-reed underline-offset-4 hover:underline"
          >
            {t("receivedOf", { size: size(receivedBytes), count: receivedTransfers })}
          </Link>
        )}
      </p>
      {bounds.length > 0 && <p className="text-sm break-words text-muted">{bounds.join(" · ")}</p>}
      <p className="text-sm text-muted">
        <RequestEnd request={request} />
      </p>
    </>
  );
}

function RequestEnd({ request: { state, expiresAt, closedAt } }: { request: ListedUploadRequest }) {
  const t = useMessages("requests");
  const writeMoment = useMoment();
  if (state === "closed" && closedAt !== null) return <>{t("closedOn", { date: writeMoment(closedAt) })}</>;
  if (expiresAt === null) return <>{t("opensUntilClosed")}</>;
  return <>{t(state === "expired" ? "endedOn" : "opensUntil", { date: writeMoment(expiresAt) })}</>;
}

function RequestMenu({ request, mayOpen, onAction }: RequestRowProps) {
  const { title, state, link } = request;
  const tSharing = useMessages("sharing");
  const t = useMessages("requests");
  const canShare = useCanShare();
  const navigate = useNavigate();
  const reopen = useReopen(request);
  const isOpen = state === "open";
  return (
    <Menu label={t("more", { title })}>
      {isOpen && (
        <>
          {canShare && (
            <MenuItem icon={Share} onSelect={() => void shareNatively(title, link)}>
              {tSharing("share")}
            </MenuItem>
          )}
          <MenuItem icon={QrCode} onSelect={() => onAction({ kind: "qr", request })}>
            {t("showQr")}
          </MenuItem>
          <MenuItem icon={ExternalLink} onSelect={() => open(link, "_blank", "noopener")}>
            {t("open")}
          </MenuItem>
          <MenuItem icon={Code} onSelect={() => onAction({ kind: "embed", request })}>
            {t("embed")}
          </MenuItem>
        </>
      )}
      <MenuItem icon={Inbox} onSelect={() => navigate(`/dashboard/received?request=${request.id}`)}>
        {t("showReceived")}
      </MenuItem>
      <MenuItem icon={Pencil} onSelect={() => onAction({ kind: "change", request })}>
        {t("change")}
      </MenuItem>
      {isOpen ? (
        <MenuItem icon={LockKeyhole} onSelect={() => onAction({ kind: "close", request })}>
          {t("close")}
        </MenuItem>
      ) : (
        state === "closed" && (
          <MenuItem icon={LockOpen} disabled={!mayOpen} onSelect={reopen}>
            {t("reopen")}
          </MenuItem>
        )
      )}
    </Menu>
  );
}

/** @returns a function that opens a closed request again */
function useReopen({ id }: ListedUploadRequest): () => void {
  const t = useMessages("requests");
  const refresh = useRefreshRequests();
  const { mutate } = useMutation({
    mutationFn: () => requestsApi.change(id, { closed: false }),
    onSuccess: async () => {
      await refresh();
      toast({ title: t("reopened"), description: t("reopenedHelp") });
    },
    onError: errorToast(t("changeFailed"), t("tryAgain")),
  });
  return () => mutate();
}
