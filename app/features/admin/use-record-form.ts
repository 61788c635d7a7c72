import { useNavigate } from "@remix-run/react";
import type * as z from "zod/mini";
import { toast } from "#app/ui/toast.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useForm, type FormControl } from "#app/lib/use-form.ts";
import { isRecordFieldMessage } from "#domain/record-field-messages.ts";
import { refusalToast } from "./admin-errors.ts";
import { useRefused } from "./use-change.ts";

interface RecordFormOptions<Values> {
  send(values: Values): Promise<unknown>;
  /** What a toast says once it is kept. */
  done(values: Values): { title: string; description: string };
  /** What a toast says where it is not, with a stand-in for the server's words. */
  failed: { title: string; fallback: string };
  /** The list that is shown afterwards. */
  list: string;
}

/** The form of a record: it leads back to the list once it is kept. */
export function useRecordForm<Schema extends z.ZodMiniType>(
  schema: Schema,
  { send, done, failed, list }: RecordFormOptions<z.infer<Schema>>,
): FormControl {
  const t = useMessages("recordFields");
  const navigate = useNavigate();
  const form = useForm(schema, {
    onError: useRefused(refusalToast(failed.title, failed.fallback)),
    send: async (values) => {
      await send(values);
      toast(done(values));
      navigate(list);
    },
  });
  const said = Object.entries(form.errors).map(([field, error]) => [
    field,
    isRecordFieldMessage(error) ? t(error) : error,
  ]);
  return { ...form, errors: Object.fromEntries(said) as Record<string, string> };
}
