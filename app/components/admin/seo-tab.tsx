import { adminApi } from "#app/admin/api.ts";
import { refusalToast } from "#app/admin/refusal.ts";
import type { SeoRecord } from "#domain/wire.ts";
import type { Column } from "./data-table.tsx";
import { Moment } from "./moment.tsx";
import { RecordsTab } from "./records-tab.tsx";
import { SeoForm } from "./seo-form.tsx";

const COLUMNS: Column<SeoRecord>[] = [
  { label: "ID", cell: ({ id }) => <code className="text-xs break-all text-muted">{id}</code> },
  { label: "Page", cell: ({ page }) => <span className="font-medium">{page}</span> },
  { label: "Title", cell: ({ title }) => title },
  { label: "Last Updated", cell: ({ updatedAt }) => <Moment at={updatedAt} withTime /> },
];

/** What the heads of the public pages say. */
export function SeoTab({ records }: { records: SeoRecord[] }) {
  return (
    <RecordsTab
      tab="seo"
      title="SEO Content"
      one="record"
      empty='No SEO content found. Click "Add New SEO Content" to create some.'
      add="Add New SEO Content"
      columns={COLUMNS}
      records={records}
      nameOf={({ page }) => page}
      form={(record, key) => <SeoForm key={key} record={record} />}
      removal={{
        title: "Delete this SEO content?",
        action: "Delete SEO content",
        describe: ({ page }) => `The head of ${page} then says only what is known without it.`,
        run: ({ id }) => adminApi.deleteSeo(id),
        done: { title: "SEO content deleted", describe: ({ page }) => `${page} has none of its own now.` },
        onError: refusalToast("Deletion failed", "There was a problem deleting the SEO content"),
      }}
    />
  );
}
