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

/** What is said and done when a record is deleted. */
interface Removal<Row> {
  title: string;
  action: string;
  /** What then is no more. */
  describe(record: Row): string;
  run(record: Row): Promise<unknown>;
  done: { title: string; describe(record: Row): string };
  onError(error: unknown): void;
}

interface RecordsTabProps<Row> {
  tab: "seo" | "content";
  title: string;
  /** How many there are, in words. */
  count: string;
  /** Said when there is none. */
  empty: string;
  /** What opens an empty form. */
  add: string;
  columns: Column<Row>[];
  records: Row[];
  nameOf(record: Row): string;
  /** The form of a record, or of a new one. */
  form(record: Row | null, key: string): ReactNode;
  removal: Removal<Row>;
}

/** Records that are few enough for one list, each with a form. The address says which is being edited. */
export function RecordsTab<Row extends { id: string }>(props: RecordsTabProps<Row>) {
  const { tab, title, count, empty, add, columns, records, nameOf, form, removal } = props;
  const tAdmin = useMessages("admin");
  const [params] = useSearchParams();
  const [doomed, setDoomed] = useState<Row | null>(null);
  const isLoading = useIsLoading();
  const edited = params.get("edit");
  const record = records.find(({ id }) => id === edited) ?? null;
  if (edited !== null && (record || edited === "new")) return form(record, edited);
  return (
    <ListPanel
      title={title}
      count={count}
      empty={records.length > 0 ? null : empty}
      tools={<NewLink tab={tab}>{add}</NewLink>}
    >
      <DataTable
        label={title}
        columns={columns}
        rows={records}
        keyOf={({ id }) => id}
        busy={isLoading}
        actions={(row) => (
          <>
            <EditLink tab={tab} id={row.id} what={nameOf(row)} />
            <RowButton
              look="danger"
              onClick={() => {
                setDoomed(row);
              }}
            >
              {tAdmin("delete")}
            </RowButton>
          </>
        )}
      />
      {doomed && (
        <ConfirmDialog
          title={removal.title}
          description={removal.describe(doomed)}
          action={removal.action}
          acting={tAdmin("deleting")}
          run={() => removal.run(doomed)}
          onDone={() => {
            toast({ title: removal.done.title, description: removal.done.describe(doomed) });
          }}
          onError={removal.onError}
          onClose={() => {
            setDoomed(null);
          }}
        />
      )}
    </ListPanel>
  );
}
