import { useQuery, useQueryClient } from "@tanstack/react-query";
import { RotateCcw } from "lucide-react";
import { useEffect, useRef } from "react";
import { api, queryKeys } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { formatBytes, SECOND_MS } from "#domain/units.ts";
import type { UnfinishedUpload } from "#domain/wire.ts";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { toast } from "#app/ui/toast.ts";
import { currentUpload } from "./current-upload.ts";
import { UnfinishedRow } from "./unfinished-row.tsx";
import { UnfinishedTransfer } from "./unfinished-transfer.tsx";
import { useMayGoOn } from "./use-may-go-on.ts";
import { useUpload } from "./use-upload.ts";

/** Notices uploads that begin or end on other devices. */
const POLL_MS = 15 * SECOND_MS;
/** Rows that open a socket: each account has a limited number. */
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
    // An upload that has left the list may be a finished file.
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
            const Row = upload.entries === undefined ? UnfinishedFile : UnfinishedTransfer;
            return <Row key={upload.uploadId} upload={upload} isLive={index < MAX_LIVE_ROWS} />;
          })}
        </ul>
      </Card>
    </section>
  );
}

function UnfinishedFile({ upload, isLive }: { upload: UnfinishedUpload; isLive: boolean }) {
  const t = useMessages("files");
  const { filename } = upload;
  const size = formatBytes(upload.size, t.locale);
  const picker = useRef<HTMLInputElement>(null);
  const currentState = useUpload();
  const isHere = currentState.mode === "sending" && currentState.link?.uploadId === upload.uploadId;

  const mayGoOn = useMayGoOn();
  const resume = (file: File) => {
    if (!mayGoOn()) return;
    if (file.name !== filename || file.size !== upload.size) {
      toast({ title: t("otherFile"), description: t("otherFileHelp", { filename, size }), tone: "bad" });
      return;
    }
    const options = { expiration: upload.expiration, expirationChosen: upload.expirationChosen };
    currentUpload.start({ file, options, method: upload.transport === "chunks" ? "chunked" : "direct" });
  };

  return (
    <UnfinishedRow
      upload={upload}
      isLive={isLive}
      percentHere={isHere ? currentState.progress.percent : null}
      describe={(percent) => t(isHere ? "percentOfHere" : "percentOf", { percent, size })}
    >
      {!isHere && (
        <Button look="quiet" onClick={() => mayGoOn() && picker.current?.click()}>
          <RotateCcw size={18} aria-hidden />
          {t("resume")}
        </Button>
      )}
      <input
        ref={picker}
        type="file"
        hidden
        aria-label={t("chooseAgain", { filename })}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = "";
          if (file) resume(file);
        }}
      />
    </UnfinishedRow>
  );
}
