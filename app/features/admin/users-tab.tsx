import { Link, useLocation } from "@remix-run/react";
import { Ban, KeyRound, RotateCcw, ShieldMinus, ShieldPlus } from "lucide-react";
import { useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Badge } from "#app/ui/badge.tsx";
import { buttonClass } from "#app/ui/button.tsx";
import { ListTools } from "#app/ui/list-tools.tsx";
import { Menu, MenuItem } from "#app/ui/menu.tsx";
import { planOf } from "#domain/plans.ts";
import type { AdminUser, AdminUsersQuery, Paged } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import { type Column, RowButton } from "./data-table.tsx";
import { DateTime } from "./date-time.tsx";
import { countValues, ListPanel } from "./list-panel.tsx";
import { UserDialog, type UserAction } from "./user-dialog.tsx";
import type { UsersLinkState } from "./user-files-tab.tsx";

const SORT_OPTIONS = [
  ["newest", "newestFirst"],
  ["oldest", "oldestFirst"],
  ["email", "byEmail"],
] as const;

const columns = (
  t: Translate<"admin">,
  tFactor: Translate<"userFactor">,
  tQueue: Translate<"queue">,
): Column<AdminUser>[] => [
  { label: t("id"), cell: ({ id }) => <code className="text-xs break-words text-muted">{id}</code> },
  {
    label: t("email"),
    cell: ({ email, isDeleting, isVerified, suspendedAt, ...user }) =>
      isDeleting ? (
        <span className="text-muted">{t("deleting")}</span>
      ) : (
        <>
          <span className="font-medium wrap-anywhere">{email}</span>
          {suspendedAt !== null && <span className="block text-xs text-danger">{tQueue("suspended")}</span>}
          {!isVerified && <span className="block text-xs text-muted">{t("notVerified")}</span>}
          <span className="block text-xs text-muted">{factorsOf(user, tFactor)}</span>
        </>
      ),
  },
  {
    label: t("adminStatus"),
    cell: ({ isAdmin }) => <Badge tone={isAdmin ? "good" : "plain"}>{t(isAdmin ? "admin" : "user")}</Badge>,
  },
  { label: t("subscription"), cell: ({ planType }) => <Badge>{planOf(planType).name}</Badge> },
  { label: t("signedUp"), cell: ({ createdAt }) => <DateTime at={createdAt} /> },
];

function factorsOf(
  { hasSecondFactor, hasPasskey }: Pick<AdminUser, "hasSecondFactor" | "hasPasskey">,
  t: Translate<"userFactor">,
): string {
  if (hasSecondFactor) return t(hasPasskey ? "hasAppAndPasskey" : "hasApp");
  return hasPasskey ? t("hasPasskey") : "";
}

interface UsersTabProps {
  query: AdminUsersQuery;
  list: Paged<AdminUser>;
  onDeleting(userId: string): void;
}

export function UsersTab({ query, list, onDeleting }: UsersTabProps) {
  const t = useMessages("admin");
  const tFactor = useMessages("userFactor");
  const tQueue = useMessages("queue");
  const [openDialog, setOpenDialog] = useState<{ action: UserAction; user: AdminUser } | null>(null);
  return (
    <ListPanel
      columns={columns(t, tFactor, tQueue)}
      list={list}
      title={t("users")}
      count={t("userCount", countValues(list.total))}
      empty={query.q === undefined ? t("noUsers") : t("noUserMatches", { search: query.q })}
      tools={
        <ListTools
          label={t("searchUsers")}
          placeholder={t("searchUsersBy")}
          query={query}
          sortOptions={SORT_OPTIONS.map(([order, name]) => [order, t(name)])}
          searchIsOrdered
        />
      }
      actions={(user) =>
        !user.isDeleting && <UserActions user={user} onChoose={(action) => setOpenDialog({ action, user })} />
      }
    >
      {openDialog && <UserDialog {...openDialog} onDeleting={onDeleting} onClose={() => setOpenDialog(null)} />}
    </ListPanel>
  );
}

function UserActions({ user, onChoose }: { user: AdminUser; onChoose(action: UserAction): void }) {
  const t = useMessages("admin");
  const tFactor = useMessages("userFactor");
  const { search } = useLocation();
  const tQueue = useMessages("queue");
  const choose = (action: UserAction) => () => onChoose(action);
  return (
    <>
      <Link
        to={`?${new URLSearchParams({ tab: "files", user: user.id })}`}
        state={{ users: search === "" ? "?tab=users" : search } satisfies UsersLinkState}
        className={`${buttonClass("quiet")} px-3! py-1! text-sm pointer-fine:min-h-9!`}
      >
        {t("files")}
      </Link>
      <RowButton onClick={choose("email")}>{t("editEmail")}</RowButton>
      <RowButton onClick={choose("plan")}>{t("editPlan")}</RowButton>
      <RowButton look="danger" onClick={choose("delete")}>
        {t("delete")}
      </RowButton>
      <Menu label={t("moreFor", { email: user.email })}>
        <MenuItem icon={KeyRound} onSelect={choose("factor")}>
          {tFactor("secondFactor")}
        </MenuItem>
        {user.suspendedAt === null ? (
          <MenuItem icon={Ban} danger onSelect={choose("suspend")}>
            {tQueue("suspend")}
          </MenuItem>
        ) : (
          <MenuItem icon={RotateCcw} onSelect={choose("restore")}>
            {tQueue("restoreAccount")}
          </MenuItem>
        )}
        {user.isAdmin ? (
          <MenuItem icon={ShieldMinus} onSelect={choose("demote")}>
            {t("demoteToUser")}
          </MenuItem>
        ) : (
          <MenuItem icon={ShieldPlus} onSelect={choose("promote")}>
            {t("promoteToAdmin")}
          </MenuItem>
        )}
      </Menu>
    </>
  );
}
