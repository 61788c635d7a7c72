import { useRevalidator } from "@remix-run/react";
import { useState } from "react";
import { call } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { ReadUploadRequestAnswer } from "#domain/wire.ts";
import type { RequestView } from "#worker/page-types.ts";
import { grantHeader } from "./grant-header.ts";
import type { OpenedRequest } from "./opened-request.ts";
import { RequestBounds } from "./request-bounds.tsx";
import { RequestLocked } from "./request-locked.tsx";
import { RequestRefused } from "./request-refused.tsx";
import { SendingCard } from "./sending-card.tsx";

/** What somebody sees who was given the link of an upload request. */
export function RequestPage({ token, view }: { token: string; view: RequestView }) {
  if (view.kind === "refused") return <RequestRefused {...view} />;
  return <Request key={token} token={token} read={view.request} />;
}

function Request({ token, read }: { token: string; read: ReadUploadRequestAnswer }) {
  const t = useMessages("requestPage");
  const [opened, setOpened] = useState<OpenedRequest | null>(
    read.needsPassword ? null : { request: read, grant: null },
  );
  const revalidator = useRevalidator();
  if (!opened) {
    return (
      <RequestLocked
        token={token}
        title={read.title}
        onOpened={setOpened}
        onEnded={() => {
          revalidator.revalidate();
        }}
      />
    );
  }
  const { request, grant } = opened;
  // What is left changes with each upload, also with those of others.
  const refresh = async () => {
    const headers = grantHeader(grant);
    const answer = await call("GET /api/requests/by-link/:token", { params: { token }, credentials: "omit", headers });
    setOpened(answer.needsPassword ? null : { request: answer, grant });
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <header>
        <p className="text-sm font-medium text-reed">{t("asked")}</p>
        <h1 className="mt-1 font-display text-3xl font-semibold break-words sm:text-4xl">{request.title}</h1>
        {request.note !== "" && <p className="mt-3 break-words whitespace-pre-line">{request.note}</p>}
        <RequestBounds request={request} />
      </header>
      <SendingCard token={token} request={request} grant={grant} onChanged={refresh} />
      <p className="text-center text-sm text-muted">{t("whoSees")}</p>
    </div>
  );
}
