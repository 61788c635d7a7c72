import { useRevalidator } from "@remix-run/react";
import { useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useEffect, useState } from "react";
import { api, queryKeys } from "#app/api.ts";
import { useNow } from "#app/clock.ts";
import { useCurrentUser } from "#app/session.ts";
import { formatBytes, HOUR_MS, SECOND_MS } from "#domain/units.ts";
import type { DownloadInfo } from "#domain/wire.ts";
import { Expiry } from "../expiry.tsx";
import { buttonClass } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";

/** A file that can be downloaded. */
export function Ready({ info }: { info: DownloadInfo }) {
  const [started, setStarted] = useState(false);
  const refetchPlan = useRefetchPlan();
  const ending = useEnding(info.expiresAt ?? null);
  return (
    <Card>
      <p className="text-sm font-medium text-reed">Your file is ready</p>
      <h1 className="mt-1 font-display text-3xl font-semibold break-words">{info.filename}</h1>
      <p className="mt-1 text-muted">
        {formatBytes(info.size)} · <Expiry expiresAt={info.expiresAt ?? null} />
      </p>
      {ending && (
        <p role="status" className="mt-5 rounded-xl border border-amber bg-sunken p-3.5 text-sm">
          Little time is left. A download that has begun before the file expires is not cut off.
        </p>
      )}
      <a
        href={info.downloadUrl ?? ""}
        className={`${buttonClass("primary", true)} mt-7 text-lg`}
        onClick={() => {
          setStarted(true);
          refetchPlan();
        }}
      >
        <Download size={22} aria-hidden />
        {started ? "Download Again" : "Download"}
      </a>
    </Card>
  );
}

/** Whether the file's last hour has begun; when its time is up, the page asks the server again. */
function useEnding(expiresAt: string | null): boolean {
  const now = useNow();
  const { revalidate } = useRevalidator();
  const leftMs = expiresAt === null || now === null ? Infinity : Date.parse(expiresAt) - now;
  const over = leftMs <= 0;
  useEffect(() => {
    if (over) revalidate();
  }, [over, revalidate]);
  return leftMs < HOUR_MS;
}

/** How long after a download somebody's own plan is read anew (specification 1 section 4). */
const REFETCH_PLAN_AFTER_MS = SECOND_MS;

function useRefetchPlan(): () => void {
  const user = useCurrentUser();
  const queries = useQueryClient();
  return () => {
    if (!user) return;
    setTimeout(() => {
      // Nothing here depends on it: an answer that does not come changes nothing.
      queries.query({ queryKey: queryKeys.currentPlan, queryFn: api.currentPlan, staleTime: 0 }).catch(() => undefined);
    }, REFETCH_PLAN_AFTER_MS);
  };
}
