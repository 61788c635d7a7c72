import { useEffect, useRef, useState, type ReactNode } from "react";
import { call } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { formatBytes } from "#domain/units.ts";
import type { CaseAction, CaseDetails, FileReport, QueueCase } from "#domain/wire.ts";
import { CaseHead, subjectOf } from "./case-head.tsx";
import { DateTime } from "./date-time.tsx";
import { FileName, UserLink } from "./file-cells.tsx";
import { DecisionDialog } from "./decision-dialog.tsx";
import { RevealKey } from "./report-dialogs.tsx";

/** Actions that ask for a reason, which the owner is mailed. All others are done at one press. */
export type AskedAction = "take-down" | "suspend";

export function isAskedFor(action: CaseAction): action is AskedAction {
  return action === "take-down" || action === "suspend";
}

interface CaseViewProps {
  details: CaseDetails;
  origin: string;
  /** The action whose reason is being asked for. */
  asked: AskedAction | null;
  isBusy: boolean;
  onAct(action: CaseAction): void;
  /** Called when the question for a reason is closed. */
  onCancel(): void;
  /** Called after the case is closed with a reason. */
  onDone(): void;
  onOpen(id: string): void;
}

export function CaseView({ details, origin, asked, isBusy, onAct, onCancel, onDone, onOpen }: CaseViewProps) {
  const t = useMessages("queue");
  const tAdmin = useMessages("admin");
  const { case: item, reports, files, cases } = details;
  const { file, account, closed } = item;
  const top = useRef<HTMLDivElement>(null);
  // On narrow screens, the case is below the list.
  useEffect(() => {
    if (!matchMedia("(width >= 64rem)").matches) top.current?.scrollIntoView();
  }, []);
  return (
    <div ref={top} className="scroll-mt-4">
      <Card className="grid gap-5 p-5!">
        <header className="grid gap-2">
          <CaseHead item={item} />
          <h3 className="text-lg font-medium wrap-anywhere">{subjectOf(item, t, tAdmin)}</h3>
          <p className="text-sm text-muted">
            {t.rich<"opened", ReactNode>("opened", {
              date: () => <DateTime key="first" at={item.openedAt} withTime />,
              date2: () => <DateTime key="last" at={item.latestAt} withTime />,
            })}
          </p>
          <Account account={account} />
          {closed && (
            <p className="text-sm">
              {t.rich<"closedAs", ReactNode>("closedAs", {
                outcome: t(OUTCOMES[closed.outcome]),
                name: closed.by,
                date: () => <DateTime key="closed" at={closed.at} withTime />,
              })}
            </p>
          )}
        </header>
        {item.actions.length > 0 && (
          <div className="flex flex-wrap gap-2">
            {item.actions.map((action, at) => (
              <Button
                key={action}
                look={isAskedFor(action) ? "danger" : at === 0 ? "primary" : "quiet"}
                busy={isBusy}
                onClick={() => onAct(action)}
              >
                {t(action)}
              </Button>
            ))}
          </div>
        )}
        {typeof item.detail["text"] === "string" && (
          <blockquote className="rounded-xl bg-sunken p-3.5 text-sm whitespace-pre-wrap wrap-anywhere">
            {item.detail["text"]}
          </blockquote>
        )}
        {item.isKept ? (
          <p className="rounded-xl border border-danger p-3.5 text-sm">{t("kept")}</p>
        ) : (
          file && !file.isExpired && <Look item={item} origin={origin} />
        )}
        <Part title={t("reports")} empty={t("noReports")}>
          {reports.map((report) => (
            <ReportLine key={report.id} report={report} />
          ))}
        </Part>
        <Part title={t("otherCases")} empty={t("noOtherCases")}>
          {cases.map((other) => (
            <li key={other.id}>
              <button type="button" className="grid w-full gap-1 text-left" onClick={() => onOpen(other.id)}>
                <CaseHead item={other} />
                <span className="text-sm wrap-anywhere underline underline-offset-4">
                  {subjectOf(other, t, tAdmin)}
                </span>
              </button>
            </li>
          ))}
        </Part>
        <Part title={t("otherFiles")} empty={t("noOtherFiles")}>
          {files.map((other) => (
            <li key={other.id} className="flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
              <span className="min-w-0">
                <FileName file={other} />
              </span>
              <span className="text-muted tabular-nums">{formatBytes(other.size, t.locale)}</span>
            </li>
          ))}
        </Part>
        {account && (
          <p className="text-sm">
            {t("allFiles")}: <UserLink userId={account.id} />
          </p>
        )}
        {asked !== null && (
          <DecisionDialog
            action={asked}
            email={account?.email ?? ""}
            reason={reasonOf(item)}
            isKept={item.isKept}
            send={(decided) =>
              call("POST /api/admin/cases/:id/close", {
                params: { id: item.id },
                body: { action: asked, note: decided.reason, ground: decided.ground },
              })
            }
            onDone={onDone}
            onClose={onCancel}
          />
        )}
      </Card>
    </div>
  );
}

const OUTCOMES = {
  dismissed: "outcomeDismissed",
  allowed: "outcomeAllowed",
  "taken-down": "outcomeTakenDown",
  suspended: "outcomeSuspended",
  restored: "outcomeRestored",
  upheld: "outcomeUpheld",
} as const;

/** The first words of a reason, by the reason of the report. */
const REASONS = {
  malware: "malwareReason",
  phishing: "phishingReason",
  illegal: "illegalReason",
  copyright: "copyrightReason",
  privacy: "privacyReason",
  "child-abuse": "childAbuseReason",
} as const;

function reasonOf({ kind, detail }: QueueCase): (typeof REASONS)[keyof typeof REASONS] | null {
  const { reason } = detail;
  if (kind === "scan") return "malwareReason";
  const known = Object.entries(REASONS).find(([name]) => name === reason);
  return known?.[1] ?? null;
}

function Account({ account }: Pick<QueueCase, "account">) {
  const t = useMessages("queue");
  if (!account) return <p className="text-sm text-muted">{t("visitor")}</p>;
  const { email, createdAt, suspendedAt } = account;
  return (
    <p className="text-sm">
      <span className="font-medium wrap-anywhere">{email}</span>
      <span className="block text-muted">
        {t.rich<"signedUp", ReactNode>("signedUp", { date: () => <DateTime key="date" at={createdAt} /> })}
      </span>
      {suspendedAt !== null && (
        <span className="block text-danger">
          {t.rich<"suspendedSince", ReactNode>("suspendedSince", {
            date: () => <DateTime key="date" at={suspendedAt} withTime />,
          })}
        </span>
      )}
    </p>
  );
}

function Part({ title, empty, children }: { title: string; empty: string; children: ReactNode[] }) {
  return (
    <section className="border-t border-line pt-4">
      <h4 className="text-sm font-medium">{title}</h4>
      {children.length === 0 ? (
        <p className="mt-1 text-sm text-muted">{empty}</p>
      ) : (
        <ul className="mt-2 grid gap-2.5">{children}</ul>
      )}
    </section>
  );
}

function ReportLine({ report }: { report: FileReport }) {
  const t = useMessages("queue");
  const tReason = useMessages("reportReasons");
  const [isKeyShown, setIsKeyShown] = useState(false);
  const { reason, message, notice, email, createdAt, hasSharedKey, settled } = report;
  return (
    <li className="text-sm">
      <span className="flex flex-wrap justify-between gap-x-3">
        <span className="font-medium">{tReason(reason)}</span>
        <span className="text-xs text-muted">
          <DateTime at={createdAt} withTime />
        </span>
      </span>
      {notice && <p className="wrap-anywhere">{t("noticeOf", notice)}</p>}
      {message !== "" && <p className="whitespace-pre-wrap wrap-anywhere">{message}</p>}
      {email !== "" && <p className="text-xs wrap-anywhere text-muted">{email}</p>}
      {hasSharedKey && !settled && (
        <Button look="quiet" className="mt-1 px-3! py-1! text-sm" onClick={() => setIsKeyShown(true)}>
          {t("showKey")}
        </Button>
      )}
      {isKeyShown && <RevealKey reportId={report.id} onClose={() => setIsKeyShown(false)} />}
    </li>
  );
}

const PICTURES = /\.(?:apng|avif|bmp|gif|jpe?g|png|svg|webp)$/i;

/** Shows nothing before a press, and then a picture blurred. */
function Look({ item: { file }, origin }: { item: QueueCase; origin: string }) {
  const t = useMessages("queue");
  const [shown, setShown] = useState<"nothing" | "blurred" | "clear" | "failed">("nothing");
  if (!file) return null;
  const { downloadId, filename, entries, seal, guards } = file;
  const isPicture = entries === undefined && !seal && !guards?.password && PICTURES.test(filename);
  if (shown === "nothing") {
    return (
      <div>
        <Button look="quiet" onClick={() => setShown(isPicture ? "blurred" : "failed")}>
          {t("look")}
        </Button>
        <p className="mt-1.5 text-sm text-muted">{t("lookHelp")}</p>
      </div>
    );
  }
  return (
    <div className="grid justify-items-start gap-2.5">
      {shown === "failed" ? (
        <p className="text-sm text-muted">{t("noPicture")}</p>
      ) : (
        <>
          <div className="overflow-hidden rounded-xl border border-line">
            <img
              src={`/api/files/download/${downloadId}/preview`}
              alt={t(shown === "clear" ? "clearPicture" : "blurredPicture")}
              className={shown === "clear" ? "max-h-96" : "max-h-96 blur-2xl"}
              onError={() => setShown("failed")}
            />
          </div>
          <Button look="quiet" onClick={() => setShown(shown === "clear" ? "blurred" : "clear")}>
            {t(shown === "clear" ? "blurAgain" : "showClearly")}
          </Button>
        </>
      )}
      <a
        href={`${origin}/download/${downloadId}`}
        target="_blank"
        rel="noreferrer"
        className={`${buttonClass("quiet")} text-sm`}
      >
        {t("openPage")}
      </a>
    </div>
  );
}
