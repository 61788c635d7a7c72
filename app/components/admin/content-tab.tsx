import { adminApi } from "#app/admin/api.ts";
import { refusalToast } from "#app/admin/refusal.ts";
import type { PageContentRecord } from "#domain/wire.ts";
import { ContentForm } from "./content-form.tsx";
import type { Column } from "./data-table.tsx";
import { Moment } from "./moment.tsx";
import { RecordsTab } from "./records-tab.tsx";

const COLUMNS: Column<PageContentRecord>[] = [
  { label: "ID", cell: ({ id }) => <code className="text-xs break-all text-muted">{id}</code> },
  { label: "Title", cell: ({ title }) => <span className="font-medium">{title}</span> },
  { label: "Slug", cell: ({ slug }) => slug },
  { label: "Last Updated", cell: ({ updatedAt }) => <Moment at={updatedAt} withTime /> },
];

/** The texts of the public pages. */
export function ContentTab({ records }: { records: PageContentRecord[] }) {
  return (
    <RecordsTab
      tab="content"
      title="Page Content"
      one="page"
      empty="No page content found"
      add="Add New Page"
      columns={COLUMNS}
      records={records}
      nameOf={({ title }) => title}
      form={(record, key) => <ContentForm key={key} record={record} />}
      removal={{
        title: "Delete this page?",
        action: "Delete page",
        describe: ({ title }) => `The text of “${title}” is gone for good, and its page can no longer show it.`,
        run: ({ id }) => adminApi.deleteContent(id),
        done: { title: "Page deleted", describe: ({ title }) => `“${title}” is gone.` },
        onError: refusalToast("Deletion failed", "There was a problem deleting the page"),
      }}
    />
  );
}
