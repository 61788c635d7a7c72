import { adminApi } from "#app/features/admin/admin-api.ts";
import { adminErrorToast } from "#app/features/admin/admin-errors.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { PageContentRecord } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import { ContentForm } from "./content-form.tsx";
import type { Column } from "./data-table.tsx";
import { countValues } from "./list-panel.tsx";
import { DateTime } from "./date-time.tsx";
import { RecordsTab } from "./records-tab.tsx";

const columns = (t: Translate<"adminRecords">, tAdmin: Translate<"admin">): Column<PageContentRecord>[] => [
  { label: tAdmin("id"), cell: ({ id }) => <code className="text-xs wrap-anywhere text-muted">{id}</code> },
  { label: t("title"), cell: ({ title }) => <span className="font-medium">{title}</span> },
  { label: t("slug"), cell: ({ slug }) => slug },
  { label: t("lastUpdated"), cell: ({ updatedAt }) => <DateTime at={updatedAt} withTime /> },
];

export function ContentTab({ records }: { records: PageContentRecord[] }) {
  const t = useMessages("adminRecords");
  const tAdmin = useMessages("admin");
  return (
    <RecordsTab
      tab="content"
      title={t("content")}
      count={t("pageCount", countValues(records.length))}
      empty={t("noContent")}
      addLabel={t("addPage")}
      columns={columns(t, tAdmin)}
      records={records}
      nameOf={({ title }) => title}
      form={(record, key) => <ContentForm key={key} record={record} />}
      deletion={{
        title: t("deletePageQuestion"),
        action: t("deletePage"),
        describe: ({ title }) => t("deletePageHelp", { title }),
        run: ({ id }) => adminApi.deleteContent(id),
        done: { title: t("pageDeleted"), describe: ({ title }) => t("pageDeletedHelp", { title }) },
        onError: adminErrorToast(t("deletionFailed"), t("deletePageFailed")),
      }}
    />
  );
}
