import { useMessages } from "#app/lib/i18n/messages.ts";
import { useIsLoading } from "#app/lib/search-params.ts";
import { formatBytes } from "#domain/units.ts";
import type { AdminFile, AdminUser, AdminUserFilesQuery, Paged } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import { useFileSortOptions } from "#app/lib/file-sort-options.ts";
import { ListTools } from "#app/ui/list-tools.tsx";
import { BackToUsers } from "./back-to-users.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { DataTable, type Column } from "./data-table.tsx";
import { FileActions } from "./file-actions.tsx";
import { FileName } from "./file-name.tsx";
import { countValues, ListPanel } from "./list-panel.tsx";
import { DateTime } from "./date-time.tsx";

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
  const isLoading = useIsLoading();
  const { q } = query;
  return (
    <>
      <BackToUsers />
      <ListPanel
        title={t("filesOf", { email: user.email })}
        count={t("fileCount", countValues(list.total))}
        paged={list}
        empty={
          list.items.length > 0 ? null : q !== undefined ? (
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
      >
        <DataTable
          label={t("files")}
          columns={columns(t)}
          rows={list.items}
          keyOf={({ id }) => id}
          busy={isLoading}
          actions={(file) => <FileActions file={file} origin={origin} />}
        />
      </ListPanel>
    </>
  );
}
