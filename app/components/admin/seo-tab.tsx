import { useSearchParams } from "@remix-run/react";
import { useState } from "react";
import { adminApi } from "#app/admin/api.ts";
import { refusalToast } from "#app/admin/refusal.ts";
import { useIsLoading } from "#app/admin/use-address.ts";
import type { SeoRecord } from "#domain/wire.ts";
import { toast } from "../ui/toast.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { DataTable, type Column } from "./data-table.tsx";
import { EditLink, NewLink } from "./edit-link.tsx";
import { countOf, ListPanel } from "./list-panel.tsx";
import { Moment } from "./moment.tsx";
import { RowButton } from "./row-button.tsx";
import { SeoForm } from "./seo-form.tsx";

const COLUMNS: Column<SeoRecord>[] = [
  { label: "ID", cell: ({ id }) => <code className="text-xs break-all text-muted">{id}</code> },
  { label: "Page", cell: ({ page }) => <span className="font-medium">{page}</span> },
  { label: "Title", cell: ({ title }) => title },
  { label: "Last Updated", cell: ({ updatedAt }) => <Moment at={updatedAt} withTime /> },
];

const deleteFailed = refusalToast("Deletion failed", "There was a problem deleting the SEO content");

/** What the heads of the public pages say. The address says which record is being edited. */
export function SeoTab({ records }: { records: SeoRecord[] }) {
  const [params] = useSearchParams();
  const [doomed, setDoomed] = useState<SeoRecord | null>(null);
  const isLoading = useIsLoading();
  const edited = params.get("edit");
  const record = records.find(({ id }) => id === edited) ?? null;
  if (record || edited === "new") return <SeoForm key={edited} record={record} />;
  return (
    <ListPanel
      title="SEO Content"
      count={countOf(records.length, "record")}
      empty={records.length > 0 ? null : 'No SEO content found. Click "Add New SEO Content" to create some.'}
      tools={<NewLink tab="seo">Add New SEO Content</NewLink>}
    >
      <DataTable
        label="SEO content"
        columns={COLUMNS}
        rows={records}
        keyOf={({ id }) => id}
        busy={isLoading}
        actions={(row) => (
          <>
            <EditLink tab="seo" id={row.id} what={row.page} />
            <RowButton
              look="danger"
              onClick={() => {
                setDoomed(row);
              }}
            >
              Delete
            </RowButton>
          </>
        )}
      />
      {doomed && (
        <ConfirmDialog
          title="Delete this SEO content?"
          description={`The head of ${doomed.page} then says only what is known without it.`}
          action="Delete SEO content"
          acting="Deleting…"
          run={() => adminApi.deleteSeo(doomed.id)}
          onDone={() => {
            toast({ title: "SEO content deleted", description: `${doomed.page} has none of its own now.` });
          }}
          onError={deleteFailed}
          onClose={() => {
            setDoomed(null);
          }}
        />
      )}
    </ListPanel>
  );
}
