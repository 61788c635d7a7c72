import clsx from "clsx";
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { call } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useIsLoading, useSearchChange } from "#app/lib/search-params.ts";
import { Card } from "#app/ui/card.tsx";
import { Paging } from "#app/ui/list-tools.tsx";
import { SelectBox } from "#app/ui/select-box.tsx";
import { toast } from "#app/ui/toast.ts";
import type { CaseAction, CaseDetails, CasesQuery, Paged, QueueCase } from "#domain/wire.ts";
import { adminErrorToast, useAdminMutation } from "./admin-changes.ts";
import { CaseHead, subjectOf } from "./case-head.tsx";
import { countValues } from "./list-panel.tsx";
import { CaseView, isAskedFor, type AskedAction } from "./queue-case.tsx";

const STATES = [
  ["open", "openOnes"],
  ["closed", "closedOnes"],
] as const;

/** The keys that act on the open case. The first action of a key that the case has is taken. */
const ACTION_KEYS: Record<string, readonly CaseAction[]> = {
  a: ["dismiss", "allow", "uphold"],
  t: ["take-down"],
  s: ["suspend"],
};

interface QueueTabProps {
  query: CasesQuery;
  list: Paged<QueueCase>;
  /** The case that the URL names. Null if it names none, or one that is gone. */
  opened: CaseDetails | null;
  origin: string;
  /** The present year, in UTC. */
  year: number;
}

/** The administrator's queue: a list of cases, and beside it the case that is open. Every step has a key. */
export function QueueTab({ query, list, opened, origin, year }: QueueTabProps) {
  const t = useMessages("queue");
  const tAdmin = useMessages("admin");
  const show = useSearchChange();
  const isLoading = useIsLoading();
  const { items } = list;
  const openId = opened?.case.id ?? null;
  const [current, setCurrent] = useState(openId ?? items[0]?.id ?? null);
  const [asked, setAsked] = useState<AskedAction | null>(null);
  const rows = useRef<HTMLUListElement>(null);
  const currentId = items.some(({ id }) => id === current) ? current : (items[0]?.id ?? null);
  const stay = { page: query.page === undefined ? null : String(query.page), cursor: query.cursor ?? null };
  const open = (id: string | null) => show({ ...stay, case: id });
  const openNext = () => {
    const at = items.findIndex(({ id }) => id === openId);
    const next = items[at + 1] ?? items[at - 1];
    setAsked(null);
    setCurrent(next?.id ?? null);
    open(next?.id ?? null);
  };
  const close = useAdminMutation<{ id: string; action: CaseAction }>({
    change: ({ id, action }) => call("POST /api/admin/cases/:id/close", { params: { id }, body: { action } }),
    onSuccess: () => {
      toast({ title: t("done"), description: t("doneHelp") });
      openNext();
    },
    onError: adminErrorToast(t("failed"), t("failedHelp")),
  });
  const act = (action: CaseAction) => {
    if (isAskedFor(action)) setAsked(action);
    else if (openId !== null && !close.isPending) close.mutate({ id: openId, action });
  };
  const move = (by: number) => {
    const at = items.findIndex(({ id }) => id === currentId);
    const next = items[Math.min(Math.max(at + by, 0), items.length - 1)];
    if (!next) return;
    setCurrent(next.id);
    rows.current?.querySelector<HTMLElement>(`[data-case="${next.id}"]`)?.focus();
    if (openId !== null) open(next.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Keys that are typed into a field or a dialog do not act on the queue.
    const isTyped =
      event.target instanceof HTMLElement && event.target.closest("input, textarea, select, [role=dialog]");
    if (isTyped || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    const action = ACTION_KEYS[event.key.toLowerCase()]?.find((each) => opened?.case.actions.includes(each));
    if (step !== undefined) move(step);
    else if (action !== undefined) act(action);
    else return;
    event.preventDefault();
  };
  // The page's scripts get the keys as soon as the tab is shown, without a press before.
  useEffect(() => {
    rows.current?.querySelector<HTMLElement>("[tabindex='0']")?.focus({ preventScroll: true });
  }, []);
  return (
    <section aria-label={t("title")} onKeyDown={onKeyDown}>
      <div className="mb-4 flex flex-wrap items-end justify-between gap-3">
        <div>
          <h2 className="font-display text-2xl font-semibold">{t("title")}</h2>
          <p className="text-sm text-muted tabular-nums">{t("cases", countValues(list.total))}</p>
        </div>
        <div className="flex flex-wrap items-end gap-3">
          <YearLinks year={year} />
          <SelectBox
            label={t("state")}
            value={query.state ?? "open"}
            options={STATES.map(([state, name]) => [state, t(name)])}
            onChoose={(state) => show({ state: state === "open" ? null : state, case: null })}
          />
        </div>
      </div>
      <p className="mb-3 hidden text-sm text-muted lg:block">
        {t.rich<"keys", ReactNode>("keys", {
          key: (text) => (
            <kbd key={JSON.stringify(text)} className="rounded border border-line bg-surface px-1.5 font-sans text-xs">
              {text}
            </kbd>
          ),
        })}
      </p>
      {items.length === 0 && opened === null ? (
        <Card className="py-14 text-center text-muted">
          {t(query.state === "closed" ? "noClosedCase" : "noOpenCase")}
        </Card>
      ) : (
        <div className="grid items-start gap-4 lg:grid-cols-[minmax(20rem,2fr)_3fr]">
          <ul ref={rows} aria-label={t("list")} aria-busy={isLoading} className="grid gap-2">
            {items.map((item) => (
              <li key={item.id}>
                <button
                  type="button"
                  data-case={item.id}
                  tabIndex={item.id === currentId ? 0 : -1}
                  aria-current={item.id === openId ? "true" : undefined}
                  className={clsx(
                    "grid w-full gap-1 rounded-2xl border bg-surface p-3.5 text-left",
                    item.id === openId ? "border-reed" : "border-line hover:border-reed",
                  )}
                  onFocus={() => setCurrent(item.id)}
                  onClick={() => open(item.id)}
                >
                  <CaseHead item={item} />
                  <span className="font-medium wrap-anywhere">{subjectOf(item, t, tAdmin)}</span>
                  <span className="text-sm wrap-anywhere text-muted">{item.account?.email ?? t("visitor")}</span>
                </button>
              </li>
            ))}
          </ul>
          {opened && (
            <CaseView
              key={opened.case.id}
              details={opened}
              origin={origin}
              asked={asked}
              isBusy={close.isPending}
              onAct={act}
              onCancel={() => setAsked(null)}
              onDone={openNext}
              onOpen={open}
            />
          )}
        </div>
      )}
      {list.pages > 1 && <Paging at={list} />}
    </section>
  );
}

/** Downloads the numbers of this year and the last one, for the yearly report. */
function YearLinks({ year }: { year: number }) {
  const t = useMessages("queue");
  return (
    <>
      {[year - 1, year].map((each) => (
        <a
          key={each}
          href={`/api/admin/moderation-numbers?year=${each}`}
          download
          className="py-2.5 text-sm text-reed underline-offset-4 hover:underline"
        >
          {t("numbers", { year: String(each) })}
        </a>
      ))}
    </>
  );
}
