import type { ReactNode } from "react";
import { useMessages } from "#app/messages/messages.ts";
import { useIsLoading } from "#app/use-address.ts";
import { formatBytes } from "#domain/units.ts";
import type { AdminFile, ExpiredFilesQuery, Paged } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import { ListTools } from "../list-tools.tsx";
import { DataTable, type Column } from "./data-table.tsx";
import { FileName } from "./file-name.tsx";
import { countOf, ListPanel } from "./list-panel.tsx";
import { Moment } from "./moment.tsx";
import { UserLink } from "./user-link.tsx";

const ORDERS = [
  ["newest", "latestFirst"],
  ["oldest", "earliestFirst"],
] as const;

const columns = (say: Translate<"office">): Column<AdminFile>[] => [
  { label: say("fileName"), cell: (file) => <FileName file={file} /> },
  { label: say("userId"), cell: ({ userId }) => <UserLink userId={userId} /> },
  { label: say("size"), numeric: true, cell: ({ size }) => formatBytes(size, say.locale) },
  { label: say("uploadDate"), cell: ({ uploadedAt }) => <Moment at={uploadedAt} /> },
  {
    label: say("expirationDate"),
    cell: ({ expiresAt }) => (expiresAt === null ? say("never") : <Moment at={expiresAt} withTime />),
  },
  {
    label: say("s3Deleted"),
    cell: ({ s3DeletedAt }) =>
      s3DeletedAt === null ? (
        say("pendingDeletion")
      ) : (
        <>
          {say.rich<"deletedAt", ReactNode>("deletedAt", {
            date: () => <Moment key="date" at={s3DeletedAt} withTime />,
          })}
        </>
      ),
  },
  { label: say("downloadCount"), numeric: true, cell: ({ downloadCount }) => downloadCount.toLocaleString(say.locale) },
];

/** Files whose time is over, and whether their bytes are gone. */
export function ExpiredTab({ query, list }: { query: ExpiredFilesQuery; list: Paged<AdminFile> }) {
  const say = useMessages("office");
  const isLoading = useIsLoading();
  return (
    <ListPanel
      title={say("expiredFiles")}
      count={say("fileCount", countOf(list.total))}
      paged={list}
      empty={
        list.items.length > 0
          ? null
          : query.q === undefined
            ? say("noneExpired")
            : say("noExpiredMatches", { search: query.q })
      }
      tools={
        <ListTools
          label={say("searchExpired")}
          placeholder={say("searchExpiredBy")}
          query={query}
          orders={ORDERS.map(([order, name]) => [order, say(name)])}
          searchIsOrdered
        />
      }
    >
      <DataTable
        label={say("expiredFilesTable")}
        columns={columns(say)}
        rows={list.items}
        keyOf={({ id }) => id}
        busy={isLoading}
      />
    </ListPanel>
  );
}
