import type { ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { messageFor } from "../upload-error-messages.ts";
import type { ListView } from "./transfer-draft.ts";
import type { ChoiceNotices } from "./transfer-view.ts";

const MAX_NAMES = 5;

interface ChangedAndLeftOutProps {
  counts: Pick<ChoiceNotices, "changedNames" | "leftOut">;
  children?: ReactNode;
}

interface AboutListProps {
  view: ListView;
  /** The title of the server's refusal, above the reason and `help`. */
  refused: string;
  help?: ReactNode;
  /** What to do about files that cannot be read. */
  children: ReactNode;
}

/** The notices about a list before it is sent. */
export function AboutList({
  view: { list, unreadable, alreadyThere, error },
  refused,
  help,
  children,
}: AboutListProps) {
  const t = useMessages("transferUpload");
  const tUploads = useMessages("uploads");
  return (
    <>
      <ChangedAndLeftOut counts={list}>
        {alreadyThere > 0 && <p role="status">{t("alreadyThere", { count: alreadyThere })}</p>}
      </ChangedAndLeftOut>
      {error !== null && (
        <Alarm>
          <p className="font-medium">{refused}</p>
          <p className="mt-1">
            {messageFor(error, tUploads, tUploads("transferError"))} {help}
          </p>
        </Alarm>
      )}
      {unreadable.length > 0 && (
        <Alarm>
          <p className="font-medium">{t("unreadableTitle", { count: unreadable.length })}</p>
          <NameList names={unreadable} />
          {children}
        </Alarm>
      )}
    </>
  );
}

/** A problem that stops a list from being sent. */
export function Alarm({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className="rounded-2xl border border-danger bg-sunken p-4 text-sm">
      {children}
    </div>
  );
}

/** How many names were changed and files left out. */
function ChangedAndLeftOut({ counts: { changedNames, leftOut }, children }: ChangedAndLeftOutProps) {
  const t = useMessages("transferUpload");
  if (changedNames === 0 && leftOut === 0 && !children) return null;
  return (
    <div className="grid gap-1 text-sm text-muted">
      {changedNames > 0 && <p>{t("namesChanged", { count: changedNames })}</p>}
      {leftOut > 0 && <p>{t("leftOut", { count: leftOut })}</p>}
      {children}
    </div>
  );
}

/** The notices about files that are not sent as chosen, for a transfer that has started. */
export function ChoiceNoticeList({ notices, isFinished }: { notices: ChoiceNotices; isFinished: boolean }) {
  const t = useMessages("transferUpload");
  const { unreadable } = notices;
  return (
    <>
      <div role="status" className="empty:hidden">
        <ChangedAndLeftOut counts={notices} />
      </div>
      {unreadable.length > 0 && (
        <div role="alert" className="rounded-2xl border border-amber bg-sunken p-4 text-sm">
          <p className="font-medium">{t("unreadableTitle", { count: unreadable.length })}</p>
          <NameList names={unreadable} />
          {!isFinished && <p className="mt-2">{t("notAddedHelp", { count: unreadable.length })}</p>}
        </div>
      )}
    </>
  );
}

/** The first names of a list, and how many more there are. */
export function NameList({ names }: { names: readonly string[] }) {
  const t = useMessages("transferUpload");
  const more = names.length - MAX_NAMES;
  return (
    <ul className="mt-1 list-disc pl-5">
      {names.slice(0, MAX_NAMES).map((name) => (
        <li key={name} className="break-words">
          {name}
        </li>
      ))}
      {more > 0 && <li>{t("andMore", { count: more })}</li>}
    </ul>
  );
}
