import { useSearchParams } from "@remix-run/react";
import { useState } from "react";
import { adminApi } from "#app/admin/api.ts";
import { refusalToast } from "#app/admin/refusal.ts";
import { useIsLoading } from "#app/admin/use-address.ts";
import type { PageContentRecord } from "#domain/wire.ts";
import { toast } from "../ui/toast.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { DataTable, type Column } from "./data-table.tsx";
import { EditLink, NewLink } from "./edit-link.tsx";
import { countOf, ListPanel } from "./list-panel.tsx";
import { Moment } from "./moment.tsx";
import { RowButton } from "./row-button.tsx";
import { ContentForm } from "./content-form.tsx";

const COLUMNS: Column<PageContentRecord>[] = [
  { label: "ID", cell: ({ id }) => <code className="text-xs break-all text-muted">{id}</code> },
  { label: "Title", cell: ({ title }) => <span className="font-medium">{title}</span> },
  { label: "Slug", cell: ({ slug }) => slug },
  { label: "Last Updated", cell: ({ updatedAt }) => <Moment at={updatedAt} withTime /> },
];

const deleteFailed = refusalToast("Deletion failed", "There was a problem deleting the page");

/** The texts of the public pages. The address says which record is being edited. */
export function ContentTab({ records }: { records: PageContentRecord[] }) {
  const [params] = useSearchParams();
  const [doomed, setDoomed] = useState<PageContentRecord | null>(null);
  const isLoading = useIsLoading();
  const edited = params.get("edit");
  const record = records.find(({ id }) => id === edited) ?? null;
  if (record || edited === "new") return <ContentForm key={edited} record={record} />;
  return (
    <ListPanel
      title="Page Content"
      count={countOf(records.length, "page")}
      empty={records.length > 0 ? null : "No page content found"}
      tools={<NewLink tab="content">Add New Page</NewLink>}
    >
      <DataTable
        label="Page content"
        columns={COLUMNS}
        rows={records}
        keyOf={({ id }) => id}
        busy={isLoading}
        actions={(row) => (
          <>
            <EditLink tab="content" id={row.id} what={row.title} />
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
          title="Delete this page?"
          description={`The text of “${doomed.title}” is gone for good, and its page can no longer show it.`}
          action="Delete page"
          acting="Deleting…"
          run={() => adminApi.deleteContent(doomed.id)}
          onDone={() => {
            toast({ title: "Page deleted", description: `“${doomed.title}” is gone.` });
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
