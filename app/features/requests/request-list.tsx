import { Link } from "@remix-run/react";
import { useQuery } from "@tanstack/react-query";
import { Inbox, Plus } from "lucide-react";
import { Suspense, useState } from "react";
import { messageOf } from "#app/lib/form-errors.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useCurrentUser } from "#app/lib/session.ts";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { Notice, EmptyList } from "#app/ui/list-notices.tsx";
import { limitFor, PLANS } from "#domain/plans.ts";
import type { ListedUploadRequest } from "#domain/wire.ts";
import { RequestDialogs, type RequestAction } from "./request-dialogs.tsx";
import { RequestRow } from "./request-row.tsx";
import { requestKeys, requestsApi } from "./requests-api.ts";

export function RequestList({ initial }: { initial: ListedUploadRequest[] }) {
  const t = useMessages("requests");
  const plan = useCurrentUser()?.planType ?? "free";
  const [action, setAction] = useState<RequestAction | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: requestKeys.requests,
    queryFn: requestsApi.list,
    initialData: initial,
  });
  const most = limitFor(plan).openRequests;
  const open = data.filter(({ state }) => state === "open").length;
  const isFull = open >= most;
  const create = () => setAction({ kind: "create" });
  if (error) {
    return (
      <Notice title={t("loadFailed")} action={{ label: t("retry"), onClick: () => void refetch() }}>
        {messageOf(error, "")}
      </Notice>
    );
  }
  return (
    <>
      {data.length === 0 ? (
        <EmptyList icon={<Inbox size={30} aria-hidden />} title={t("empty")} text={t("emptyHelp")}>
          <Button icon={Plus} onClick={create}>
            {t("createFirst")}
          </Button>
        </EmptyList>
      ) : (
        <>
          <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
            <p className="min-w-0 flex-1 basis-64 text-sm text-muted">
              {isFull ? t("allOpen", { most }) : t("openOf", { open, most })}{" "}
              {isFull && PLANS.some(({ limits }) => limits.openRequests > most) && (
                <Link to="/pricing" className="font-medium text-reed underline underline-offset-4">
                  {t("seePlans")}
                </Link>
              )}
            </p>
            <Button icon={Plus} disabled={isFull} onClick={create}>
              {t("create")}
            </Button>
          </div>
          <Card className="p-2! sm:p-3!">
            <ul className="divide-y divide-line">
              {data.map((request) => (
                <RequestRow key={request.id} request={request} mayOpen={!isFull} onAction={setAction} />
              ))}
            </ul>
          </Card>
        </>
      )}
      <Suspense>
        {action && <RequestDialogs action={action} plan={plan} onAction={setAction} onClose={() => setAction(null)} />}
      </Suspense>
    </>
  );
}
