import { adminApi } from "#app/features/admin/admin-api.ts";
import { adminErrorToast } from "#app/features/admin/admin-errors.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { SeoRecord } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import type { Column } from "./data-table.tsx";
import { countValues } from "./list-panel.tsx";
import { DateTime } from "./date-time.tsx";
import { RecordsTab } from "./records-tab.tsx";
import { SeoForm } from "./seo-form.tsx";

const columns = (t: Translate<"adminRecords">, tAdmin: Translate<"admin">): Column<SeoRecord>[] => [
  { label: tAdmin("id"), cell: ({ id }) => <code className="text-xs wrap-anywhere text-muted">{id}</code> },
  { label: t("page"), cell: ({ page }) => <span className="font-medium">{page}</span> },
  { label: t("title"), cell: ({ title }) => title },
  { label: t("lastUpdated"), cell: ({ updatedAt }) => <DateTime at={updatedAt} withTime /> },
];

export function SeoTab({ records }: { records: SeoRecord[] }) {
  const t = useMessages("adminRecords");
  const tAdmin = useMessages("admin");
  return (
    <RecordsTab
      tab="seo"
      title={t("seo")}
      count={t("recordCount", countValues(records.length))}
      empty={t("noSeo")}
      addLabel={t("addSeo")}
      columns={columns(t, tAdmin)}
      records={records}
      nameOf={({ page }) => page}
      form={(record, key) => <SeoForm key={key} record={record} />}
      deletion={{
        title: t("deleteSeoQuestion"),
        action: t("deleteSeo"),
        describe: ({ page }) => t("deleteSeoHelp", { page }),
        run: ({ id }) => adminApi.deleteSeo(id),
        done: { title: t("seoDeleted"), describe: ({ page }) => t("seoDeletedHelp", { page }) },
        onError: adminErrorToast(t("deletionFailed"), t("deleteSeoFailed")),
      }}
    />
  );
}
