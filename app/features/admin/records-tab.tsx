import { useSearchParams, useNavigate, Link } from "@remix-run/react";
import { Plus } from "lucide-react";
import { useState, type ReactNode } from "react";
import type * as z from "zod/mini";
import { translateErrors } from "#app/lib/form-errors.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useForm, type FormControl } from "#app/lib/use-form.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { toast } from "#app/ui/toast.ts";
import { adminErrorToast, useAdminErrorHandler } from "./admin-changes.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { type Column, RowButton } from "./data-table.tsx";
import { ListPanel } from "./list-panel.tsx";

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
  /** The number of records, for example "3 pages". */
  count: string;
  empty: string;
  addLabel: string;
  columns: Column<Row>[];
  records: Row[];
  nameOf(record: Row): string;
  /** @param record the record to edit; null for a new record */
  form(record: Row | null, key: string): ReactNode;
  deletion: RecordDeletion<Row>;
}

/** A list of all records on one page, or the form for the record that the URL names in `edit`. */
export function RecordsTab<Row extends { id: string }>(props: RecordsTabProps<Row>) {
  const { tab, addLabel, records, nameOf, form, deletion, ...panel } = props;
  const tAdmin = useMessages("admin");
  const [params] = useSearchParams();
  const [toDelete, setToDelete] = useState<Row | null>(null);
  const editId = params.get("edit");
  const record = records.find(({ id }) => id === editId) ?? null;
  if (editId !== null && (record || editId === "new")) return form(record, editId);
  return (
    <ListPanel
      {...panel}
      list={{ items: records }}
      tools={<NewLink tab={tab}>{addLabel}</NewLink>}
      actions={(row) => (
        <>
          <EditLink tab={tab} id={row.id} name={nameOf(row)} />
          <RowButton look="danger" onClick={() => setToDelete(row)}>
            {tAdmin("delete")}
          </RowButton>
        </>
      )}
    >
      {toDelete && (
        <ConfirmDialog
          title={deletion.title}
          text={deletion.describe(toDelete)}
          yes={deletion.action}
          pending={tAdmin("deleting")}
          run={() => deletion.run(toDelete)}
          onSuccess={() => toast({ title: deletion.done.title, description: deletion.done.describe(toDelete) })}
          onError={deletion.onError}
          onClose={() => setToDelete(null)}
        />
      )}
    </ListPanel>
  );
}

interface RecordFormOptions<Values> {
  send(values: Values): Promise<unknown>;
  successToast(values: Values): { title: string; description: string };
  errorToast: { title: string; fallback: string };
  listPath: string;
}

export function useRecordForm<Schema extends z.ZodMiniType>(
  schema: Schema,
  { send, successToast, errorToast, listPath }: RecordFormOptions<z.infer<Schema>>,
): FormControl {
  const t = useMessages("recordFields");
  const navigate = useNavigate();
  return useForm(schema, {
    translate: (errors) => translateErrors(errors, t),
    onError: useAdminErrorHandler(adminErrorToast(errorToast.title, errorToast.fallback)),
    send: async (values) => {
      await send(values);
      toast(successToast(values));
      navigate(listPath);
    },
  });
}

function EditLink({ tab, id, name }: { tab: "seo" | "content"; id: string; name: string }) {
  const t = useMessages("adminRecords");
  return (
    <Link
      to={`?${new URLSearchParams({ tab, edit: id })}`}
      aria-label={t("editRecord", { record: name })}
      className={`${buttonClass("quiet")} px-3! py-1! text-sm pointer-fine:min-h-9!`}
    >
      {t("edit")}
    </Link>
  );
}

function NewLink({ tab, children }: { tab: "seo" | "content"; children: ReactNode }) {
  return (
    <Link to={`?${new URLSearchParams({ tab, edit: "new" })}`} className={buttonClass()}>
      <Plus size={18} aria-hidden />
      {children}
    </Link>
  );
}
