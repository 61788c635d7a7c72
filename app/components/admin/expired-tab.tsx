import { useIsLoading } from "#app/use-address.ts";
import { formatBytes } from "#domain/units.ts";
import type { AdminFile, ExpiredFilesQuery, Paged } from "#domain/wire.ts";
import { ListTools } from "../list-tools.tsx";
import { DataTable, type Column } from "./data-table.tsx";
import { FileName } from "./file-name.tsx";
import { countOf, ListPanel } from "./list-panel.tsx";
import { Moment } from "./moment.tsx";
import { UserLink } from "./user-link.tsx";

const ORDERS = [
  ["newest", "Latest first"],
  ["oldest", "Earliest first"],
] as const;

const COLUMNS: Column<AdminFile>[] = [
  { label: "File Name", cell: (file) => <FileName file={file} /> },
  { label: "User ID", cell: ({ userId }) => <UserLink userId={userId} /> },
  { label: "Size", numeric: true, cell: ({ size }) => formatBytes(size) },
  { label: "Upload Date", cell: ({ uploadedAt }) => <Moment at={uploadedAt} /> },
  {
    label: "Expiration Date",
    cell: ({ expiresAt }) => (expiresAt === null ? "Never" : <Moment at={expiresAt} withTime />),
  },
  {
    label: "S3 Deleted",
    cell: ({ s3DeletedAt }) =>
      s3DeletedAt === null ? (
        "Pending Deletion"
      ) : (
        <>
          Deleted: <Moment at={s3DeletedAt} withTime />
        </>
      ),
  },
  { label: "Download Count", numeric: true, cell: ({ downloadCount }) => downloadCount.toLocaleString("en-US") },
];

/** Files whose time is over, and whether their bytes are gone. */
export function ExpiredTab({ query, list }: { query: ExpiredFilesQuery; list: Paged<AdminFile> }) {
  const isLoading = useIsLoading();
  return (
    <ListPanel
      title="Expired Files"
      count={countOf(list.total, "file")}
      paged={list}
      empty={
        list.items.length > 0
          ? null
          : query.q === undefined
            ? "No file has expired yet."
            : `No expired file's name begins with “${query.q}”.`
      }
      tools={
        <ListTools
          label="Search expired files"
          placeholder="Beginning of a name"
          query={query}
          orders={ORDERS}
          searchIsOrdered
        />
      }
    >
      <DataTable label="Expired files" columns={COLUMNS} rows={list.items} keyOf={({ id }) => id} busy={isLoading} />
    </ListPanel>
  );
}
