import type { ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { ListTools } from "#app/ui/list-tools.tsx";
import { formatBytes } from "#domain/units.ts";
import type { AdminFile, ExpiredFilesQuery, Paged } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import type { Column } from "./data-table.tsx";
import { DateTime } from "./date-time.tsx";
import { FileName, UserLink } from "./file-cells.tsx";
import { countValues, ListPanel } from "./list-panel.tsx";

const SORT_OPTIONS = [
  ["newest", "latestFirst"],
  ["oldest", "earliestFirst"],
] as const;

export const expiredColumns = (t: Translate<"admin">): Column<AdminFile>[] => [
  { label: t("fileName"), cell: (file) => <FileName file={file} /> },
  { label: t("userId"), cell: ({ userId }) => <UserLink userId={userId} /> },
  { label: t("size"), numeric: true, cell: ({ size }) => formatBytes(size, t.locale) },
  { label: t("uploadDate"), cell: ({ uploadedAt }) => <DateTime at={uploadedAt} /> },
  {
    label: t("expirationDate"),
    cell: ({ expiresAt }) => (expiresAt === null ? t("never") : <DateTime at={expiresAt} withTime />),
  },
  {
    label: t("s3Deleted"),
    cell: ({ s3DeletedAt }) =>
      s3DeletedAt === null ? (
        t("pendingDeletion")
      ) : (
        <>
          {t.rich<"deletedAt", ReactNode>("deletedAt", {
            date: () => <DateTime key="date" at={s3DeletedAt} withTime />,
          })}
        </>
      ),
  },
  { label: t("downloadCount"), numeric: true, cell: ({ downloadCount }) => downloadCount.toLocaleString(t.locale) },
];

export function ExpiredTab({ query, list }: { query: ExpiredFilesQuery; list: Paged<AdminFile> }) {
  const t = useMessages("admin");
  return (
    <ListPanel
      label={t("expiredFilesTable")}
      columns={expiredColumns(t)}
      list={list}
      title={t("expiredFiles")}
      count={t("fileCount", countValues(list.total))}
      empty={query.q === undefined ? t("noneExpired") : t("noExpiredMatches", { search: query.q })}
      tools={
        <ListTools
          label={t("searchExpired")}
          placeholder={t("searchExpiredBy")}
          query={query}
          sortOptions={SORT_OPTIONS.map(([order, name]) => [order, t(name)])}
          searchIsOrdered
        />
      }
    />
  );
}
