import type { ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { formatBytes } from "#domain/units.ts";
import { messageFor } from "../upload-error-messages.ts";
import { ChangedAndLeftOut } from "../transfer/choice-notices.tsx";
import { NameList } from "../transfer/name-list.tsx";
import type { ListView } from "../transfer/transfer-draft.ts";
import { listKinds } from "./request-bounds.tsx";
import type { RequestProblem } from "./request-problems.ts";

/** What a sender should know of the list, and what keeps it from being sent. */
export function ListProblems({ view, problems }: { view: ListView; problems: readonly RequestProblem[] }) {
  const t = useMessages("requestPage");
  const tTransfer = useMessages("transferUpload");
  const tUploads = useMessages("uploads");
  const { draft, list, unreadable, alreadyThere, error } = view;
  return (
    <>
      <ChangedAndLeftOut counts={list}>
        {alreadyThere > 0 && <p role="status">{tTransfer("alreadyThere", { count: alreadyThere })}</p>}
      </ChangedAndLeftOut>
      {error !== null && (
        <Alarm>
          <p className="font-medium">{t("notStarted")}</p>
          <p className="mt-1">{messageFor(error, tUploads, tUploads("transferError"))}</p>
        </Alarm>
      )}
      {unreadable.length > 0 && (
        <Alarm>
          <p className="font-medium">{tTransfer("unreadableTitle", { count: unreadable.length })}</p>
          <NameList names={unreadable} />
          <LeaveOut
            count={unreadable.length}
            onLeaveOut={() => {
              draft.leaveOutUnreadable();
            }}
          />
        </Alarm>
      )}
      {problems.map((problem) => (
        <Alarm key={problem.kind}>
          <Problem problem={problem} view={view} />
        </Alarm>
      ))}
    </>
  );
}

function Problem({ problem, view: { draft, list } }: { problem: RequestProblem; view: ListView }) {
  const t = useMessages("requestPage");
  if (problem.kind === "count") return <p>{t("tooMany", { most: problem.most, count: list.entries.length })}</p>;
  if (problem.kind === "bytes") {
    const left = formatBytes(problem.leftBytes, t.locale);
    return <p>{t("tooMuch", { size: formatBytes(list.bytes, t.locale), left })}</p>;
  }
  const count = problem.files.length;
  return (
    <>
      <p className="break-words">
        {problem.kind === "kinds"
          ? t("kindRefused", { count, kinds: listKinds(problem.kinds) })
          : t("tooLarge", { count, size: formatBytes(problem.mostFileBytes, t.locale) })}
      </p>
      <NameList names={problem.files.map(({ path }) => path)} />
      <LeaveOut
        count={count}
        onLeaveOut={() => {
          draft.leaveOut(new Set(problem.files));
        }}
      />
    </>
  );
}

function LeaveOut({ count, onLeaveOut }: { count: number; onLeaveOut(): void }) {
  const t = useMessages("requestPage");
  return (
    <Button look="quiet" className="mt-3" onClick={onLeaveOut}>
      {t("leaveOut", { count })}
    </Button>
  );
}

function Alarm({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className="rounded-2xl border border-danger bg-sunken p-4 text-sm">
      {children}
    </div>
  );
}
