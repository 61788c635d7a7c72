import { Link, useLocation } from "@remix-run/react";
import { ShieldMinus, ShieldPlus } from "lucide-react";
import { useState } from "react";
import { useMessages } from "#app/messages/messages.ts";
import { useIsLoading } from "#app/use-address.ts";
import { planOf } from "#domain/plans.ts";
import type { AdminUser, AdminUsersQuery, Paged } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import { ListTools } from "../list-tools.tsx";
import { buttonClass } from "../ui/button.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import type { FromUsers } from "./back-to-users.tsx";
import { Badge } from "./badge.tsx";
import { DataTable, type Column } from "./data-table.tsx";
import { countOf, ListPanel } from "./list-panel.tsx";
import { Moment } from "./moment.tsx";
import { RowButton } from "./row-button.tsx";
import { UserDialog, type UserAction } from "./user-dialog.tsx";

const ORDERS = [
  ["newest", "newestFirst"],
  ["oldest", "oldestFirst"],
  ["email", "byEmail"],
] as const;

const columns = (say: Translate<"office">): Column<AdminUser>[] => [
  { label: say("id"), cell: ({ id }) => <code className="text-xs break-words text-muted">{id}</code> },
  {
    label: say("email"),
    cell: ({ email, isDeleting, isVerified }) =>
      isDeleting ? (
        <span className="text-muted">{say("deleting")}</span>
      ) : (
        <>
          <span className="font-medium break-all">{email}</span>
          {!isVerified && <span className="block text-xs text-muted">{say("notVerified")}</span>}
        </>
      ),
  },
  {
    label: say("adminStatus"),
    cell: ({ isAdmin }) => <Badge tone={isAdmin ? "good" : "plain"}>{say(isAdmin ? "admin" : "user")}</Badge>,
  },
  { label: say("subscription"), cell: ({ planType }) => <Badge>{planOf(planType).name}</Badge> },
  { label: say("signedUp"), cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

interface UsersTabProps {
  query: AdminUsersQuery;
  list: Paged<AdminUser>;
  /** Called with an account whose deletion has begun. */
  onDeleting(userId: string): void;
}

/** Everybody who has an account, and what may be done about it. */
export function UsersTab({ query, list, onDeleting }: UsersTabProps) {
  const say = useMessages("office");
  const [open, setOpen] = useState<{ action: UserAction; user: AdminUser } | null>(null);
  const isLoading = useIsLoading();
  return (
    <ListPanel
      title={say("users")}
      count={say("userCount", countOf(list.total))}
      paged={list}
      empty={list.items.length > 0 ? null : emptiness(query, say)}
      tools={
        <ListTools
          label={say("searchUsers")}
          placeholder={say("searchUsersBy")}
          query={query}
          orders={ORDERS.map(([order, name]) => [order, say(name)])}
          searchIsOrdered
        />
      }
    >
      <DataTable
        label={say("users")}
        columns={columns(say)}
        rows={list.items}
        keyOf={({ id }) => id}
        busy={isLoading}
        actions={(user) =>
          !user.isDeleting && (
            <UserActions
              user={user}
              onChoose={(action) => {
                setOpen({ action, user });
              }}
            />
          )
        }
      />
      {open && (
        <UserDialog
          {...open}
          onDeleting={onDeleting}
          onClose={() => {
            setOpen(null);
          }}
        />
      )}
    </ListPanel>
  );
}

function emptiness({ q }: AdminUsersQuery, say: Translate<"office">): string {
  return q === undefined ? say("noUsers") : say("noUserMatches", { search: q });
}

function UserActions({ user, onChoose }: { user: AdminUser; onChoose(action: UserAction): void }) {
  const say = useMessages("office");
  const { search } = useLocation();
  const choose = (action: UserAction) => () => {
    onChoose(action);
  };
  return (
    <>
      <Link
        to={`?${new URLSearchParams({ tab: "files", user: user.id })}`}
        state={{ users: search === "" ? "?tab=users" : search } satisfies FromUsers}
        className={`${buttonClass("quiet")} px-3! py-1! text-sm pointer-fine:min-h-9!`}
      >
        {say("files")}
      </Link>
      <RowButton onClick={choose("email")}>{say("editEmail")}</RowButton>
      <RowButton onClick={choose("plan")}>{say("editPlan")}</RowButton>
      <RowButton look="danger" onClick={choose("delete")}>
        {say("delete")}
      </RowButton>
      <Menu label={say("moreFor", { email: user.email })}>
        {user.isAdmin ? (
          <MenuItem icon={<ShieldMinus size={18} aria-hidden />} onSelect={choose("demote")}>
            {say("demoteToUser")}
          </MenuItem>
        ) : (
          <MenuItem icon={<ShieldPlus size={18} aria-hidden />} onSelect={choose("promote")}>
            {say("promoteToAdmin")}
          </MenuItem>
        )}
      </Menu>
    </>
  );
}
