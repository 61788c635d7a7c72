import { adminApi } from "#app/admin/api.ts";
import { refusalToast } from "#app/admin/refusal.ts";
import { useMessages } from "#app/messages/messages.ts";
import type { PageContentRecord } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import { ContentForm } from "./content-form.tsx";
import type { Column } from "./data-table.tsx";
import { countOf } from "./list-panel.tsx";
import { Moment } from "./moment.tsx";
import { RecordsTab } from "./records-tab.tsx";

const columns = (say: Translate<"officeRecords">, office: Translate<"office">): Column<PageContentRecord>[] => [
  { label: office("id"), cell: ({ id }) => <code className="text-xs break-all text-muted">{id}</code> },
  { label: say("title"), cell: ({ title }) => <span className="font-medium">{title}</span> },
  { label: say("slug"), cell: ({ slug }) => slug },
  { label: say("lastUpdated"), cell: ({ updatedAt }) => <Moment at={updatedAt} withTime /> },
];

/** The texts of the public pages. */
export function ContentTab({ records }: { records: PageContentRecord[] }) {
  const say = useMessages("officeRecords");
  const office = useMessages("office");
  return (
    <RecordsTab
      tab="content"
      title={say("content")}
      count={say("pageCount", countOf(records.length))}
      empty={say("noContent")}
      add={say("addPage")}
      columns={columns(say, office)}
      records={records}
      nameOf={({ title }) => title}
      form={(record, key) => <ContentForm key={key} record={record} />}
      removal={{
        title: say("deletePageQuestion"),
        action: say("deletePage"),
        describe: ({ title }) => say("deletePageHelp", { title }),
        run: ({ id }) => adminApi.deleteContent(id),
        done: { title: say("pageDeleted"), describe: ({ title }) => say("pageDeletedHelp", { title }) },
        onError: refusalToast(say("deletionFailed"), say("deletePageFailed")),
      }}
    />
  );
}
