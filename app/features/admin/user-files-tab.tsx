import { Link, useLocation } from "@remix-run/react";
import { ArrowLeft } from "lucide-react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Badge } from "#app/ui/badge.tsx";
import { buttonClass } from "#app/ui/button.tsx";
import { useFileSortOptions, ListTools } from "#app/ui/list-tools.tsx";
import { formatBytes } from "#domain/units.ts";
import type { AdminFile, AdminUser, AdminUserFilesQuery, Paged } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import type { Column } from "./data-table.tsx";
import { DateTime } from "./date-time.tsx";
import { FileActions } from "./file-actions.tsx";
import { FileName } from "./file-cells.tsx";
import { countValues, ListPanel } from "./list-panel.tsx";

const columns = (t: Translate<"admin">): Column<AdminFile>[] => [
  { label: t("fileName"), cell: (file) => <FileName file={file} /> },
  { label: t("size"), numeric: true, cell: ({ size }) => formatBytes(size, t.locale) },
  { label: t("uploadedAt"), cell: ({ uploadedAt }) => <DateTime at={uploadedAt} /> },
  {
    label: t("expires"),
    cell: ({ expiresAt }) => (expiresAt === null ? t("never") : <DateTime at={expiresAt} withTime />),
  },
  {
    label: t("status"),
    cell: ({ isExpired }) => <Badge tone={isExpired ? "plain" : "good"}>{t(isExpired ? "expired" : "active")}</Badge>,
  },
];

interface UserFilesTabProps {
  query: AdminUserFilesQuery;
  user: AdminUser;
  list: Paged<AdminFile>;
  origin: string;
}

export function UserFilesTab({ query, user, list, origin }: UserFilesTabProps) {
  const t = useMessages("admin");
  const sortOptions = useFileSortOptions();
  const { q } = query;
  return (
    <>
      <BackToUsers />
      <ListPanel
        columns={columns(t)}
        list={list}
        label={t("files")}
        title={t("filesOf", { email: user.email })}
        count={t("fileCount", countValues(list.total))}
        empty={
          q !== undefined ? (
            t("noFileMatches", { search: q })
          ) : (
            <>
              <p className="font-medium text-ink">{t("noFiles")}</p>
              <p className="mt-1">{t("noFilesHelp")}</p>
            </>
          )
        }
        tools={
          (list.total > 1 || q !== undefined) && (
            <ListTools
              label={t("searchFiles")}
              placeholder={t("searchFilesBy")}
              query={query}
              sortOptions={sortOptions}
            />
          )
        }
        actions={(file) => <FileActions file={file} origin={origin} />}
      />
    </>
  );
}

export interface UsersLinkState {
  users: string;
}

/** A link back to the list of users, with the search, order and page that the list had. */
export function BackToUsers() {
  const t = useMessages("admin");
  const state: unknown = useLocation().state;
  return (
    <Link to={isUsersLinkState(state) ? state.users : "?tab=users"} className={`${buttonClass("quiet")} mb-4`}>
      <ArrowLeft size={18} aria-hidden />
      {t("backToUsers")}
    </Link>
  );
}

function isUsersLinkState(state: unknown): state is UsersLinkState {
  return typeof state === "object" && state !== null && "users" in state && typeof state.users === "string";
}
