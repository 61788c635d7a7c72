import { Link } from "@remix-run/react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { formatBytes } from "#domain/units.ts";
import { currentUpload } from "../current-upload.ts";
import { isPlanLimit } from "../upload-error-messages.ts";
import { AboutList, Alarm, NameList } from "./choice-notices.tsx";
import type { PlanProblem } from "./plan-problems.ts";
import type { ListView } from "./transfer-draft.ts";

interface ListNoticesProps {
  view: ListView;
  problems: readonly PlanProblem[];
  onSend(): void;
}

/** The notices about a list before it is sent, and the problems that stop it from being sent. */
export function ListNotices({ view, problems, onSend }: ListNoticesProps) {
  const t = useMessages("transferUpload");
  const tUploads = useMessages("uploads");
  const { draft, list, unreadable, error } = view;
  return (
    <>
      <AboutList view={view} refused={tUploads("uploadFailed")} help={isPlanLimit(error) && <SeePlans />}>
        <p className="mt-2">{t("unreadableHelp")}</p>
        <div className="mt-3 flex flex-wrap gap-2">
          {list.entries.length > 0 && (
            <Button
              disabled={view.isReading}
              onClick={() => {
                draft.leaveOutUnreadable();
                if (problems.length === 0) onSend();
              }}
            >
              {t("leaveOutAndSend", { count: unreadable.length })}
            </Button>
          )}
          <Button look="quiet" onClick={() => currentUpload.reset()}>
            {t("chooseAgain")}
          </Button>
        </div>
      </AboutList>
      {problems.map((problem, index) => (
        <PlanAlarm key={index} problem={problem} view={view} />
      ))}
    </>
  );
}

function PlanAlarm({ problem, view }: { problem: PlanProblem; view: ListView }) {
  const t = useMessages("transferUpload");
  const plans = !problem.anyPlan && <SeePlans />;
  if (problem.kind === "count") {
    return (
      <Alarm>
        {t(problem.anyPlan ? "tooManyForAll" : "tooManyForPlan", problem)} {plans}
      </Alarm>
    );
  }
  if (problem.kind === "month") {
    const values = { size: formatBytes(view.list.bytes, t.locale), limit: formatBytes(problem.limitBytes, t.locale) };
    return (
      <Alarm>
        {t("tooMuchForMonth", values)} {plans}
      </Alarm>
    );
  }
  const values = { count: problem.files.length, size: formatBytes(problem.limitBytes, t.locale) };
  return (
    <Alarm>
      <p>{t(problem.anyPlan ? "tooLargeForAll" : "tooLargeForPlan", values)}</p>
      <NameList names={problem.files.map(({ path }) => path)} />
      <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button look="quiet" onClick={() => view.draft.leaveOut(new Set(problem.files))}>
          {t("leaveThemOut", { count: problem.files.length })}
        </Button>
        {plans}
      </div>
    </Alarm>
  );
}

export function SeePlans() {
  const t = useMessages("transferUpload");
  return (
    <Link to="/pricing" className="font-medium text-reed underline underline-offset-4">
      {t("seePlans")}
    </Link>
  );
}
