import { Link, useSearchParams } from "@remix-run/react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Inbox, Ban, Download, ExternalLink, File, Folder, Forward, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { messageOf } from "#app/lib/form-errors.ts";
import { useMoment } from "#app/lib/i18n/formats.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { useSearchChange } from "#app/lib/search-params.ts";
import { useReceivedNews } from "#app/lib/use-account-feed.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { Notice, EmptyList } from "#app/ui/list-notices.tsx";
import { Menu, MenuItem } from "#app/ui/menu.tsx";
import { Expiry } from "#app/ui/moments.tsx";
import { PictureMark } from "#app/ui/picture-mark.tsx";
import { SelectBox } from "#app/ui/select-box.tsx";
import { formatBytes } from "#domain/units.ts";
import type { ListedUploadRequest, ReceivedPage, ReceivedTransfer } from "#domain/wire.ts";
import { requestKeys, requestsApi } from "./requests-api.ts";

const ForwardDialog = lazy(() => importWhenOnline(() => import("./forward-dialog.client.tsx")));
const ReceivedQuestion = lazy(() => importWhenOnline(() => import("./received-question.client.tsx")));
const RefuseSender = lazy(() => importWhenOnline(() => import("./refuse-sender.client.tsx")));

/** The dialog that is open above the list of received transfers. */
interface ReceivedAction {
  kind: "make-link" | "link" | "delete" | "refuse";
  transfer: ReceivedTransfer;
}

interface ReceivedRowProps {
  transfer: ReceivedTransfer;
  onAction(action: ReceivedAction): void;
}

/** Narrow enough for all buttons to fit in one line on a phone of 360 px, in every language. */
const NARROW = "max-sm:px-2.5! max-sm:text-sm";

interface ReceivedListProps {
  initial: { fileRequestId: string | null; page: ReceivedPage; requests: ListedUploadRequest[] };
}

/**
 * Transfers received through requests, newest first. If the URL's query names a request, only transfers through that
 * request are listed.
 */
export function ReceivedList({ initial }: ReceivedListProps) {
  const t = useMessages("received");
  const [params] = useSearchParams();
  const show = useSearchChange();
  const fileRequestId = params.get("request");
  const [action, setAction] = useState<ReceivedAction | null>(null);
  const { data: requests } = useQuery({
    queryKey: requestKeys.requests,
    queryFn: requestsApi.list,
    initialData: initial.requests,
  });
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [...requestKeys.received, fileRequestId],
    queryFn: ({ pageParam }) => requestsApi.received(fileRequestId, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    ...(fileRequestId === initial.fileRequestId ? { initialData: { pages: [initial.page], pageParams: [null] } } : {}),
  });
  useReceivedNews(({ state }) => {
    if (state === "arrived") void refetch();
  });
  if (error) {
    return (
      <Notice title={t("loadFailed")} action={{ label: t("retry"), onClick: () => void refetch() }}>
        {messageOf(error, "")}
      </Notice>
    );
  }
  const items = data?.pages.flatMap((page) => page.items);
  return (
    <>
      {requests.length > 0 && (
        <div className="mb-4 flex flex-wrap gap-3">
          <SelectBox
            label={t("filter")}
            value={fileRequestId ?? ""}
            options={[["", t("all")], ...requests.map(({ id, title }) => [id, title] as const)]}
            onChoose={(id) => show({ request: id === "" ? null : id })}
          />
        </div>
      )}
      {!items && (
        <Card>
          <p role="status" className="py-6 text-center text-muted">
            {t("loading")}
          </p>
        </Card>
      )}
      {items?.length === 0 && (
        <EmptyList
          icon={<Inbox size={30} aria-hidden />}
          title={t(fileRequestId === null ? "empty" : "emptyFiltered")}
          {...(fileRequestId === null && { text: t("emptyHelp") })}
        >
          <Link to="/dashboard/requests" className={buttonClass("quiet")}>
            {t("toRequests")}
          </Link>
        </EmptyList>
      )}
      {items && items.length > 0 && (
        <Card className="p-2! sm:p-3!">
          <ul className="divide-y divide-line">
            {items.map((transfer) => (
              <ReceivedRow key={transfer.id} transfer={transfer} onAction={setAction} />
            ))}
          </ul>
        </Card>
      )}
      {hasNextPage && (
        <Button look="quiet" className="mt-4" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t(isFetchingNextPage ? "loadingMore" : "loadMore")}
        </Button>
      )}
      <Suspense>
        {action && <ReceivedDialogs action={action} onAction={setAction} onClose={() => setAction(null)} />}
      </Suspense>
    </>
  );
}

/** One received transfer, with the details that its sender gave. */
function ReceivedRow({ transfer, onAction }: ReceivedRowProps) {
  const { downloadId, title, size, entries, receivedAt, expiresAt, requestTitle, link, pictures } = transfer;
  const t = useMessages("received");
  const writeMoment = useMoment();
  const act = (kind: ReceivedAction["kind"]) => () => onAction({ kind, transfer });
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 px-3 py-4">
      <PictureMark isTransfer downloadId={downloadId} pictures={pictures}>
        {entries === 1 ? <File size={22} aria-hidden /> : <Folder size={22} aria-hidden />}
      </PictureMark>
      <div className="min-w-0 flex-1 basis-60">
        <h2 className="font-medium break-words">
          {title}
          {link !== null && (
            <>
              {" "}
              <Badge tone="good" title={t("hasLinkHelp")}>
                {t("hasLink")}
              </Badge>
            </>
          )}
        </h2>
        <p className="text-sm text-muted">
          {t("about", { count: entries, size: formatBytes(size, t.locale), date: writeMoment(receivedAt) })}
        </p>
        <p className="text-sm break-words text-muted">
          {requestTitle === null ? t("throughDeleted") : t("through", { title: requestTitle })} ·{" "}
          <Expiry expiresAt={expiresAt} />
        </p>
        <SenderWords transfer={transfer} />
      </div>
      <div className="flex flex-wrap gap-1 sm:gap-2">
        <a
          href={`/download/${downloadId}`}
          className={`${buttonClass("quiet")} ${NARROW}`}
          aria-label={t("openOf", { title })}
        >
          <ExternalLink size={18} aria-hidden className="hidden sm:block" />
          {t("open")}
        </a>
        <Button look="quiet" className={NARROW} onClick={act(link === null ? "make-link" : "link")}>
          <Forward size={18} aria-hidden className="hidden sm:block" />
          {t(link === null ? "makeLink" : "shareLink")}
        </Button>
        <Button
          icon={Trash2}
          look="danger"
          className="px-3!"
          aria-label={t("deleteOf", { title })}
          onClick={act("delete")}
        />
        <Menu label={t("more", { title })}>
          <MenuItem icon={Download} onSelect={() => location.assign(`/api/files/download/${downloadId}/content`)}>
            {t("download")}
          </MenuItem>
          <MenuItem icon={Ban} danger onSelect={act("refuse")}>
            {t("refuse")}
          </MenuItem>
        </Menu>
      </div>
    </li>
  );
}

/** The sender's name, address and note, which nobody has verified; the interface says so. */
function SenderWords({ transfer: { senderName, senderEmail, senderNote } }: { transfer: ReceivedTransfer }) {
  const t = useMessages("received");
  const named = [senderName, senderEmail].filter((said) => said !== null && said !== "");
  return (
    <div className="mt-2 text-sm">
      {named.length === 0 ? (
        <p className="text-muted">{t("unknown")}</p>
      ) : (
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 break-words">
            {t("from")} <span className="font-medium">{named.join(", ")}</span>
          </span>
          <Badge title={t("theySayHelp")}>{t("theySay")}</Badge>
        </p>
      )}
      {senderNote !== null && senderNote !== "" && (
        <blockquote className="mt-2 border-s-2 border-line ps-3 break-words whitespace-pre-line text-muted">
          {senderNote}
        </blockquote>
      )}
    </div>
  );
}

interface ReceivedDialogsProps {
  action: ReceivedAction;
  onAction(action: ReceivedAction): void;
  onClose(): void;
}

/** Loads each dialog when the dialog opens. */
function ReceivedDialogs({ action: { kind, transfer }, onAction, onClose }: ReceivedDialogsProps) {
  if (kind === "link") return <ForwardDialog transfer={transfer} onClose={onClose} />;
  if (kind === "refuse") return <RefuseSender transfer={transfer} onClose={onClose} />;
  const onMade = (made: ReceivedTransfer) => onAction({ kind: "link", transfer: made });
  return <ReceivedQuestion kind={kind} transfer={transfer} onMade={onMade} onClose={onClose} />;
}
