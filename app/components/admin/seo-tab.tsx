import { adminApi } from "#app/admin/api.ts";
import { refusalToast } from "#app/admin/refusal.ts";
import { useMessages } from "#app/messages/messages.ts";
import type { SeoRecord } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import type { Column } from "./data-table.tsx";
import { countOf } from "./list-panel.tsx";
import { Moment } from "./moment.tsx";
import { RecordsTab } from "./records-tab.tsx";
import { SeoForm } from "./seo-form.tsx";

const columns = (say: Translate<"officeRecords">, office: Translate<"office">): Column<SeoRecord>[] => [
  { label: office("id"), cell: ({ id }) => <code className="text-xs break-all text-muted">{id}</code> },
  { label: say("page"), cell: ({ page }) => <span className="font-medium">{page}</span> },
  { label: say("title"), cell: ({ title }) => title },
  { label: say("lastUpdated"), cell: ({ updatedAt }) => <Moment at={updatedAt} withTime /> },
];

/** What the heads of the public pages say. */
export function SeoTab({ records }: { records: SeoRecord[] }) {
  const say = useMessages("officeRecords");
  const office = useMessages("office");
  return (
    <RecordsTab
      tab="seo"
      title={say("seo")}
      count={say("recordCount", countOf(records.length))}
      empty={say("noSeo")}
      add={say("addSeo")}
      columns={columns(say, office)}
      records={records}
      nameOf={({ page }) => page}
      form={(record, key) => <SeoForm key={key} record={record} />}
      removal={{
        title: say("deleteSeoQuestion"),
        action: say("deleteSeo"),
        describe: ({ page }) => say("deleteSeoHelp", { page }),
        run: ({ id }) => adminApi.deleteSeo(id),
        done: { title: say("seoDeleted"), describe: ({ page }) => say("seoDeletedHelp", { page }) },
        onError: refusalToast(say("deletionFailed"), say("deleteSeoFailed")),
      }}
    />
  );
}
