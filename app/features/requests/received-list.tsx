import { Link, useSearchParams } from "@remix-run/react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Inbox } from "lucide-react";
import { useState } from "react";
import { messageOf } from "#app/lib/form-errors.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useSearchChange } from "#app/lib/search-params.ts";
import { useReceivedNews } from "#app/lib/use-account-feed.ts";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { SelectBox } from "#app/ui/select-box.tsx";
import type { ListedUploadRequest, ReceivedPage } from "#domain/wire.ts";
import { EmptyList } from "#app/ui/empty-list.tsx";
import { ReceivedDialogs, type ReceivedAction } from "./received-dialogs.tsx";
import { ReceivedRow } from "./received-row.tsx";
import { requestKeys, requestsApi } from "./requests-api.ts";

interface ReceivedListProps {
  initial: { requestId: string | null; page: ReceivedPage; requests: ListedUploadRequest[] };
}

/** What came through requests, newest first. The address says through which. */
export function ReceivedList({ initial }: ReceivedListProps) {
  const t = useMessages("received");
  const [params] = useSearchParams();
  const show = useSearchChange();
  const requestId = params.get("request");
  const [action, setAction] = useState<ReceivedAction | null>(null);
  const { data: requests } = useQuery({
    queryKey: requestKeys.requests,
    queryFn: requestsApi.list,
    initialData: initial.requests,
  });
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [...requestKeys.received, requestId],
    queryFn: ({ pageParam }) => requestsApi.received(requestId, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    ...(requestId === initial.requestId ? { initialData: { pages: [initial.page], pageParams: [null] } } : {}),
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
            value={requestId ?? ""}
            options={[["", t("all")], ...requests.map(({ id, title }) => [id, title] as const)]}
            onChoose={(id) => {
              show({ request: id === "" ? null : id });
            }}
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
          title={t(requestId === null ? "empty" : "emptyFiltered")}
          {...(requestId === null && { text: t("emptyHelp") })}
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
      {action && (
        <ReceivedDialogs
          action={action}
          onAction={setAction}
          onClose={() => {
            setAction(null);
          }}
        />
      )}
    </>
  );
}
