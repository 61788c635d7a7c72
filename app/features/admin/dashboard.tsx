import * as Tabs from "@radix-ui/react-tabs";
import { useNavigate, useRevalidator } from "@remix-run/react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { LogOut } from "lucide-react";
import { useEffect, useRef, type RefObject, useCallback, useState } from "react";
import { adminApi } from "#app/features/admin/admin-api.ts";
import { TABS, tabErrorMessages } from "#app/features/admin/admin-tabs.ts";
import type { FailedTab, LoadedTab } from "#app/features/admin/load-tab.server.ts";
import { saveLogoutNotice } from "#app/features/admin/logout-notice.ts";
import { useConfirmQuestion } from "#app/lib/confirming.ts";
import { call } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useIsLoading } from "#app/lib/search-params.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Notice } from "#app/ui/list-notices.tsx";
import { tabClass } from "#app/ui/tab-classes.ts";
import { toast } from "#app/ui/toast.ts";
import { useKeptFocus } from "#app/ui/use-kept-focus.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { AdminUser } from "#domain/wire.ts";
import { fixedErrorToast } from "./admin-changes.ts";
import { AuditTab } from "./audit-tab.tsx";
import { BlockListTab } from "./block-list-tab.tsx";
import { ContactTab } from "./contact-tab.tsx";
import { ContentTab } from "./content-tab.tsx";
import { ExpiredTab } from "./expired-tab.tsx";
import { OverviewTab } from "./overview-tab.tsx";
import { QueueTab } from "./queue-tab.tsx";
import { ReportsTab } from "./reports-tab.tsx";
import { SeoTab } from "./seo-tab.tsx";
import { ShowFactor } from "./show-factor.tsx";
import { SweepTab } from "./sweep-tab.tsx";
import { UploadsTab } from "./uploads-tab.tsx";
import { UserFilesTab, BackToUsers } from "./user-files-tab.tsx";
import { UsersTab } from "./users-tab.tsx";

interface DashboardProps {
  username: string;
  origin: string;
  view: LoadedTab | FailedTab;
}

export function Dashboard({ username, origin, view }: DashboardProps) {
  const t = useMessages("admin");
  const navigate = useNavigate();
  const isLoading = useIsLoading();
  const openTab = view.tab === "files" ? "users" : view.tab;
  const tabList = useScrollToTab(openTab);
  const keptFocus = useKeptFocus<HTMLDivElement>();
  useRevalidateOnReturn();
  const watchDeletion = useDeletions(view.kind === "loaded" && view.tab === "users" ? view.list.items : []);
  return (
    <div ref={keptFocus} className="mx-auto max-w-[92rem] px-4 py-8 sm:px-6 lg:py-10">
      <div className="mb-6 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div>
          <h1 className="font-display text-3xl font-semibold">{t("title")}</h1>
          {username !== "" && <p className="mt-1 text-sm text-muted">{t("loggedInAs", { username })}</p>}
        </div>
        <LogoutButton />
      </div>
      <Tabs.Root
        value={openTab}
        activationMode="manual"
        onValueChange={(tab) => navigate(`?tab=${tab}`, { preventScrollReset: true })}
      >
        <Tabs.List
          ref={tabList}
          aria-label={t("tabs")}
          className="mb-5 flex gap-1 overflow-x-auto rounded-xl bg-sunken p-1"
        >
          {TABS.map(({ id, label }) => (
            <Tabs.Trigger key={id} value={id} className={`${tabClass} shrink-0 whitespace-nowrap lg:flex-1`}>
              {t(label)}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Tabs.Content value={openTab} aria-busy={isLoading} tabIndex={-1}>
          {view.kind === "failed" ? (
            <LoadFailure {...view} />
          ) : (
            <TabContent view={view} origin={origin} onDeleting={watchDeletion} />
          )}
        </Tabs.Content>
      </Tabs.Root>
      <AdminConfirmHost />
    </div>
  );
}

interface TabContentProps {
  view: LoadedTab;
  origin: string;
  /** Called after the deletion of an account has started. */
  onDeleting(userId: string): void;
}

function TabContent({ view, origin, onDeleting }: TabContentProps) {
  switch (view.tab) {
    case "users":
      return <UsersTab {...view} onDeleting={onDeleting} />;
    case "files":
      return <UserFilesTab {...view} origin={origin} />;
    case "expired":
      return <ExpiredTab {...view} />;
    case "contact":
      return <ContactTab {...view} />;
    case "seo":
      return <SeoTab {...view} />;
    case "content":
      return <ContentTab {...view} />;
    case "queue":
      return <QueueTab {...view} origin={origin} />;
    case "reports":
      return <ReportsTab {...view} origin={origin} />;
    case "overview":
      return <OverviewTab {...view} />;
    case "uploads":
      return <UploadsTab {...view} />;
    case "audit":
      return <AuditTab {...view} />;
    case "blocked":
      return <BlockListTab {...view} />;
    case "sweep":
      return <SweepTab {...view} />;
  }
}

/** On narrow screens, scrolls the list of tabs to the open tab. */
function useScrollToTab(tab: string): RefObject<HTMLDivElement> {
  const tabList = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const active = tabList.current?.querySelector<HTMLElement>("[data-state=active]");
    if (tabList.current && active)
      tabList.current.scrollLeft = active.offsetLeft - tabList.current.offsetLeft - TAB_MARGIN_PX;
  }, [tab]);
  return tabList;
}

/** The width of the previous tab that stays visible. */
const TAB_MARGIN_PX = 40;

/** Logs out, clears cached data, and loads the document anew at the login page. */
function LogoutButton() {
  const t = useMessages("admin");
  const queries = useQueryClient();
  const logOut = useMutation({
    mutationFn: () => call("POST /api/admin/logout", { keepalive: true }),
    onSuccess: () => {
      queries.clear();
      saveLogoutNotice();
      location.assign("/admin");
    },
    onError: fixedErrorToast(t("logoutFailed"), t("logoutFailedHelp")),
  });
  return (
    <Button icon={LogOut} look="quiet" busy={logOut.isPending} onClick={() => logOut.mutate()}>
      {t(logOut.isPending ? "loggingOut" : "logOut")}
    </Button>
  );
}

function LoadFailure({ tab, message }: FailedTab) {
  const t = useMessages("admin");
  const { revalidate } = useRevalidator();
  const { title, text } = tabErrorMessages(tab, t);
  return (
    <>
      {tab === "files" && <BackToUsers />}
      <Notice title={title} action={{ label: t("retry"), onClick: revalidate }}>
        {message || text}
      </Notice>
    </>
  );
}

/**
 * The dialog that asks for a confirmation when a call needs one (app/lib/confirming.ts). The back office has one such
 * dialog.
 */
function AdminConfirmHost() {
  const t = useMessages("adminFactor");
  const question = useConfirmQuestion();
  if (!question) return null;
  const { methods, close } = question;
  return (
    <Dialog title={t("confirmTitle")} description={t("confirmHelp")} onClose={() => close(false)}>
      <ShowFactor
        methods={methods}
        purpose="confirm"
        go={t("confirm")}
        send={(body) => call("POST /api/admin/confirm", { body })}
        onDone={() => close(true)}
      />
    </Dialog>
  );
}

/**
 * Reloads the page's data when the browser tab becomes visible. If the admin session has ended, the reload leads to the
 * login page.
 */
function useRevalidateOnReturn(): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const onChange = () => {
      if (document.visibilityState === "visible") revalidate();
    };
    document.addEventListener("visibilitychange", onChange);
    return () => document.removeEventListener("visibilitychange", onChange);
  }, [revalidate]);
}

const POLL_MS = 3 * SECOND_MS;

/**
 * Polls the accounts that are being deleted, and shows a toast when an account is gone (decision 012).
 * @returns adds an account to the polled ones: its deletion may end before the list shows the deletion
 */
function useDeletions(users: AdminUser[]): (userId: string) => void {
  const t = useMessages("admin");
  const { revalidate } = useRevalidator();
  const [pendingIds, setPendingIds] = useState<readonly string[]>([]);
  // Polling of an account goes on when the list no longer shows the account.
  const newUsers = users.filter(({ id, isDeleting }) => isDeleting && !pendingIds.includes(id));
  if (newUsers.length > 0) setPendingIds([...pendingIds, ...newUsers.map(({ id }) => id)]);

  useEffect(() => {
    if (pendingIds.length === 0) return;
    const poll = async () => {
      const answers = await Promise.all(pendingIds.map(async (id) => ((await adminApi.isUserGone(id)) ? [id] : [])));
      const goneIds = new Set(answers.flat());
      if (goneIds.size === 0) return;
      setPendingIds((ids) => ids.filter((id) => !goneIds.has(id)));
      toast({ title: t("userDeleted"), description: t("userDeletedHelp") });
      revalidate();
    };
    const timer = setInterval(() => {
      poll().catch((error: unknown) => console.warn("asking after a deletion failed", error));
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [pendingIds, revalidate, t]);

  return useCallback((userId) => setPendingIds((ids) => (ids.includes(userId) ? ids : [...ids, userId])), []);
}
