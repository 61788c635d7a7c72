import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useRef } from "react";
import { api, queryKeys } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { Card } from "#app/ui/card.tsx";
import { SECOND_MS } from "#domain/units.ts";
import type { UnfinishedUpload } from "#domain/wire.ts";
import { UnfinishedFile, UnfinishedTransfer } from "./unfinished-rows.tsx";

const UnfinishedSealed = lazy(() => importWhenOnline(() => import("./unfinished-sealed.client.tsx")));

/** How often the list is loaded, to notice uploads that begin or end on other devices. */
const POLL_MS = 15 * SECOND_MS;
/** The most rows that open a socket, because each account has a limited number. */
const MAX_LIVE_ROWS = 8;

const NONE: UnfinishedUpload[] = [];

/** Uploads of the account that were interrupted or run on any device, to resume or discard. */
export function UnfinishedUploads() {
  const t = useMessages("files");
  const queries = useQueryClient();
  const { data: uploads = NONE } = useQuery({
    queryKey: queryKeys.unfinished,
    queryFn: api.unfinishedUploads,
    refetchOnMount: "always",
    refetchInterval: POLL_MS,
    refetchOnWindowFocus: "always",
  });
  const ids = uploads.map(({ uploadId }) => uploadId).join();
  const previousIds = useRef(ids);
  useEffect(() => {
    const isGone = (id: string) => id !== "" && !ids.includes(id);
    // An upload that is no longer in the list may be a finished file.
    if (previousIds.current.split(",").some(isGone)) void queries.invalidateQueries({ queryKey: queryKeys.files });
    previousIds.current = ids;
  }, [ids, queries]);
  if (uploads.length === 0) return null;
  return (
    <section className="mb-8">
      <h2 className="mb-3 text-lg font-medium">{t("unfinished")}</h2>
      <Card className="p-2! sm:p-3!">
        <ul className="divide-y divide-line">
          {uploads.map((upload, index) => {
            const { seal } = upload;
            const isLive = index < MAX_LIVE_ROWS;
            if (seal) {
              return (
                <Suspense key={upload.uploadId}>
                  <UnfinishedSealed upload={{ ...upload, seal }} isLive={isLive} />
                </Suspense>
              );
            }
            const Row = upload.entries === undefined ? UnfinishedFile : UnfinishedTransfer;
            return <Row key={upload.uploadId} upload={upload} isLive={isLive} />;
          })}
        </ul>
      </Card>
    </section>
  );
}
