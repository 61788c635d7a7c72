import { useSyncExternalStore } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { ProgressBar } from "#app/ui/progress-bar.tsx";
import { useKeptFocus } from "#app/ui/use-kept-focus.ts";
import type { Translate } from "#messages/translate.ts";
import type { SaveJob, SaveJobs, SaveState } from "./save-jobs.ts";

/** Lists the files and ZIPs that this page decrypts, with progress, result and buttons. */
export function SaveList({ jobs }: { jobs: SaveJobs }) {
  const t = useMessages("sealedLinks");
  const list = useSyncExternalStore(jobs.subscribe, jobs.snapshot, jobs.snapshot);
  const keptFocus = useKeptFocus<HTMLDivElement>();
  return (
    <div ref={keptFocus}>
      {list.length > 0 && (
        <ul aria-label={t("opened")} className="mt-4 grid gap-3">
          {list.map((job) => (
            // A copy of the job, because React draws again only what has changed.
            <SaveRow key={job.id} job={{ ...job }} jobs={jobs} />
          ))}
        </ul>
      )}
    </div>
  );
}

const FAILURES = ["damaged", "gone", "refused", "locked", "room", "inUse", "unable", "early"] as const;
type Failure = (typeof FAILURES)[number];

function isFailure(state: SaveState): state is Failure {
  return FAILURES.some((one) => one === state);
}

function SaveRow({ job, jobs }: { job: SaveJob; jobs: SaveJobs }) {
  const t = useMessages("sealedLinks");
  const tDownload = useMessages("download");
  const { id, name, state, percent, awaited } = job;
  const waiting = awaited === "sender" ? tDownload("waitingForSender", { percent }) : null;
  const failed = isFailure(state);
  return (
    <li className={`rounded-2xl border px-4 py-3 text-sm ${failed ? "border-danger" : "border-line"}`}>
      <p className="font-medium break-words">{name}</p>
      <p role={failed ? "alert" : "status"} className={`mt-1 tabular-nums ${failed ? "text-danger" : "text-muted"}`}>
        {/* Screen readers hear the start and the end only, because the bar has the progress. */}
        {state === "opening" && <span className="sr-only">{waiting ?? startOf(job, t)}</span>}
        <span aria-hidden={state === "opening"}>{(state === "opening" && waiting) || textOf(job, t)}</span>
      </p>
      {state === "opening" && (
        <div className="mt-2">
          <ProgressBar label={t("progressOf", { name })} percent={percent} />
        </div>
      )}
      <div className="mt-2 flex flex-wrap gap-2 empty:hidden">
        {state === "opening" && (
          <Button look="quiet" onClick={() => jobs.stop(id)}>
            {t("stop")}
          </Button>
        )}
        {state === "staged" && (
          <>
            <Button look="quiet" onClick={() => void jobs.again(id)}>
              {t("saveAgain")}
            </Button>
            <Button look="quiet" onClick={() => void jobs.free(id)}>
              {t("freeSpace")}
            </Button>
          </>
        )}
        {(state === "stopped" || (failed && state !== "damaged" && state !== "unable" && state !== "early")) && (
          <Button look="quiet" onClick={() => void jobs.again(id)}>
            {t("goOn")}
          </Button>
        )}
      </div>
    </li>
  );
}

function startOf({ sink, awaited }: SaveJob, t: Translate<"sealedLinks">): string {
  if (awaited !== null) return t("waitingSaid");
  if (sink === "stage") return t("startedToStage");
  return t(sink === "stream" ? "startedInTab" : "started");
}

function textOf({ state, sink, percent, awaited }: SaveJob, t: Translate<"sealedLinks">): string {
  if (state === "opening") {
    if (awaited !== null) return t("waiting", { percent });
    if (sink === "stage") return t("decryptingToStage", { percent });
    return sink === "stream" ? t("decryptingInTab", { percent }) : t("decrypting", { percent });
  }
  return t(state);
}
