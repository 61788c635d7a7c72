import { useMessages } from "#app/messages/messages.ts";
import { useIsLoading } from "#app/use-address.ts";
import { formatBytes } from "#domain/units.ts";
import type { AdminFile, AdminUser, AdminUserFilesQuery, Paged } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import { useFileOrders } from "../files/orders.ts";
import { ListTools } from "../list-tools.tsx";
import { BackToUsers } from "./back-to-users.tsx";
import { Badge } from "./badge.tsx";
import { DataTable, type Column } from "./data-table.tsx";
import { FileActions } from "./file-actions.tsx";
import { FileName } from "./file-name.tsx";
import { countOf, ListPanel } from "./list-panel.tsx";
import { Moment } from "./moment.tsx";

const columns = (say: Translate<"office">): Column<AdminFile>[] => [
  { label: say("fileName"), cell: (file) => <FileName file={file} /> },
  { label: say("size"), numeric: true, cell: ({ size }) => formatBytes(size, say.locale) },
  { label: say("uploadedAt"), cell: ({ uploadedAt }) => <Moment at={uploadedAt} /> },
  {
    label: say("expires"),
    cell: ({ expiresAt }) => (expiresAt === null ? say("never") : <Moment at={expiresAt} withTime />),
  },
  {
    label: say("status"),
    cell: ({ isExpired }) => <Badge tone={isExpired ? "plain" : "good"}>{say(isExpired ? "expired" : "active")}</Badge>,
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
  const say = useMessages("office");
  const orders = useFileOrders();
  const isLoading = useIsLoading();
  const { q } = query;
  return (
    <>
      <BackToUsers />
      <ListPanel
        title={say("filesOf", { email: user.email })}
        count={say("fileCount", countOf(list.total))}
        paged={list}
        empty={
          list.items.length > 0 ? null : q !== undefined ? (
            say("noFileMatches", { search: q })
          ) : (
            <>
              <p className="font-medium text-ink">{say("noFiles")}</p>
              <p className="mt-1">{say("noFilesHelp")}</p>
            </>
          )
        }
        tools={
          (list.total > 1 || q !== undefined) && (
            <ListTools label={say("searchFiles")} placeholder={say("searchFilesBy")} query={query} orders={orders} />
          )
        }
      >
        <DataTable
          label={say("files")}
          columns={columns(say)}
          rows={list.items}
          keyOf={({ id }) => id}
          busy={isLoading}
          actions={(file) => <FileActions file={file} origin={origin} />}
        />
      </ListPanel>
    </>
  );
}
