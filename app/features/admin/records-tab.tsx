import { useSearchParams } from "@remix-run/react";
import { useState, type ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useIsLoading } from "#app/lib/search-params.ts";
import { toast } from "#app/ui/toast.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { DataTable, type Column } from "./data-table.tsx";
import { EditLink, NewLink } from "./edit-link.tsx";
import { ListPanel } from "./list-panel.tsx";
import { RowButton } from "./row-button.tsx";

interface RecordDeletion<Row> {
  title: string;
  action: string;
  describe(record: Row): string;
  run(record: Row): Promise<unknown>;
  done: { title: string; describe(record: Row): string };
  onError(error: unknown): void;
}

interface RecordsTabProps<Row> {
  tab: "seo" | "content";
  title: string;
  /** For example "3 pages". */
  count: string;
  empty: string;
  addLabel: string;
  columns: Column<Row>[];
  records: Row[];
  nameOf(record: Row): string;
  /** @param record null for a new record */
  form(record: Row | null, key: string): ReactNode;
  deletion: RecordDeletion<Row>;
}

/** A list without pages, and a form for the record that the URL names in `edit`. */
export function RecordsTab<Row extends { id: string }>(props: RecordsTabProps<Row>) {
  const { tab, title, count, empty, addLabel, columns, records, nameOf, form, deletion } = props;
  const tAdmin = useMessages("admin");
  const [params] = useSearchParams();
  const [toDelete, setToDelete] = useState<Row | null>(null);
  const isLoading = useIsLoading();
  const editId = params.get("edit");
  const record = records.find(({ id }) => id === editId) ?? null;
  if (editId !== null && (record || editId === "new")) return form(record, editId);
  return (
    <ListPanel
      title={title}
      count={count}
      empty={records.length > 0 ? null : empty}
      tools={<NewLink tab={tab}>{addLabel}</NewLink>}
    >
      <DataTable
        label={title}
        columns={columns}
        rows={records}
        keyOf={({ id }) => id}
        busy={isLoading}
        actions={(row) => (
          <>
            <EditLink tab={tab} id={row.id} name={nameOf(row)} />
            <RowButton
              look="danger"
              onClick={() => {
                setToDelete(row);
              }}
            >
              {tAdmin("delete")}
            </RowButton>
          </>
        )}
      />
      {toDelete && (
        <ConfirmDialog
          title={deletion.title}
          description={deletion.describe(toDelete)}
          action={deletion.action}
          pendingLabel={tAdmin("deleting")}
          run={() => deletion.run(toDelete)}
          onSuccess={() => {
            toast({ title: deletion.done.title, description: deletion.done.describe(toDelete) });
          }}
          onError={deletion.onError}
          onClose={() => {
            setToDelete(null);
          }}
        />
      )}
    </ListPanel>
  );
}
