import { Link, useLocation } from "@remix-run/react";
import { ShieldMinus, ShieldPlus } from "lucide-react";
import { useState } from "react";
import { useIsLoading } from "#app/use-address.ts";
import { planOf } from "#domain/plans.ts";
import type { AdminUser, AdminUsersQuery, Paged } from "#domain/wire.ts";
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
  ["newest", "Newest first"],
  ["oldest", "Oldest first"],
  ["email", "By email"],
] as const;

const COLUMNS: Column<AdminUser>[] = [
  { label: "ID", cell: ({ id }) => <code className="text-xs break-all text-muted">{id}</code> },
  {
    label: "Email",
    cell: ({ email, isDeleting, isVerified }) =>
      isDeleting ? (
        <span className="text-muted">Deleting…</span>
      ) : (
        <>
          <span className="font-medium break-all">{email}</span>
          {!isVerified && <span className="block text-xs text-muted">Not verified</span>}
        </>
      ),
  },
  {
    label: "Admin Status",
    cell: ({ isAdmin }) => <Badge tone={isAdmin ? "good" : "plain"}>{isAdmin ? "Admin" : "User"}</Badge>,
  },
  { label: "Subscription", cell: ({ planType }) => <Badge>{planOf(planType).name}</Badge> },
  { label: "Signed Up", cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

interface UsersTabProps {
  query: AdminUsersQuery;
  list: Paged<AdminUser>;
  /** Called with an account whose deletion has begun. */
  onDeleting(userId: string): void;
}

/** Everybody who has an account, and what may be done about it. */
export function UsersTab({ query, list, onDeleting }: UsersTabProps) {
  const [open, setOpen] = useState<{ action: UserAction; user: AdminUser } | null>(null);
  const isLoading = useIsLoading();
  return (
    <ListPanel
      title="Users"
      count={countOf(list.total, "user")}
      paged={list}
      empty={list.items.length > 0 ? null : <NoUsers query={query} />}
      tools={
        <ListTools
          label="Search users"
          placeholder="Beginning of an address, or an ID"
          query={query}
          orders={ORDERS}
          searchIsOrdered
        />
      }
    >
      <DataTable
        label="Users"
        columns={COLUMNS}
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

function NoUsers({ query }: { query: AdminUsersQuery }) {
  return <>{query.q === undefined ? "Nobody has an account yet." : `No address begins with “${query.q}”.`}</>;
}

function UserActions({ user, onChoose }: { user: AdminUser; onChoose(action: UserAction): void }) {
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
        Files
      </Link>
      <RowButton onClick={choose("email")}>Edit Email</RowButton>
      <RowButton onClick={choose("plan")}>Edit Plan</RowButton>
      <RowButton look="danger" onClick={choose("delete")}>
        Delete
      </RowButton>
      <Menu label={`More for ${user.email}`}>
        {user.isAdmin ? (
          <MenuItem icon={<ShieldMinus size={18} aria-hidden />} onSelect={choose("demote")}>
            Demote to user
          </MenuItem>
        ) : (
          <MenuItem icon={<ShieldPlus size={18} aria-hidden />} onSelect={choose("promote")}>
            Promote to admin
          </MenuItem>
        )}
      </Menu>
    </>
  );
}
