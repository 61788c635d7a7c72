import { useIsLoading } from "#app/use-address.ts";
import { formatBytes } from "#domain/units.ts";
import type { AdminFile, AdminUser, AdminUserFilesQuery, Paged } from "#domain/wire.ts";
import { useFileOrders } from "../files/orders.ts";
import { ListTools } from "../list-tools.tsx";
import { BackToUsers } from "./back-to-users.tsx";
import { Badge } from "./badge.tsx";
import { DataTable, type Column } from "./data-table.tsx";
import { FileActions } from "./file-actions.tsx";
import { FileName } from "./file-name.tsx";
import { countOf, ListPanel } from "./list-panel.tsx";
import { Moment } from "./moment.tsx";

const COLUMNS: Column<AdminFile>[] = [
  { label: "File Name", cell: (file) => <FileName file={file} /> },
  { label: "Size", numeric: true, cell: ({ size }) => formatBytes(size) },
  { label: "Uploaded", cell: ({ uploadedAt }) => <Moment at={uploadedAt} /> },
  { label: "Expires", cell: ({ expiresAt }) => (expiresAt === null ? "Never" : <Moment at={expiresAt} withTime />) },
  {
    label: "Status",
    cell: ({ isExpired }) => <Badge tone={isExpired ? "plain" : "good"}>{isExpired ? "Expired" : "Active"}</Badge>,
  },
];

interface UserFilesTabProps {
  query: AdminUserFilesQuery;
  user: AdminUser;
  list: Paged<AdminFile>;
  origin: string;
}

/** One person's files. */
export function UserFilesTab({ query, user, list, origin }: UserFilesTabProps) {
  const orders = useFileOrders();
  const isLoading = useIsLoading();
  const isSearched = query.q !== undefined;
  return (
    <>
      <BackToUsers />
      <ListPanel
        title={`Files of ${user.email}`}
        count={countOf(list.total, "file")}
        paged={list}
        empty={
          list.items.length > 0 ? null : isSearched ? (
            `No file's name holds “${query.q}”.`
          ) : (
            <>
              <p className="font-medium text-ink">No Files Found</p>
              <p className="mt-1">This user hasn&apos;t uploaded any files yet.</p>
            </>
          )
        }
        tools={
          (list.total > 1 || isSearched) && (
            <ListTools label="Search files" placeholder="Part of a name" query={query} orders={orders} />
          )
        }
      >
        <DataTable
          label="Files"
          columns={COLUMNS}
          rows={list.items}
          keyOf={({ id }) => id}
          busy={isLoading}
          actions={(file) => <FileActions file={file} origin={origin} />}
        />
      </ListPanel>
    </>
  );
}
