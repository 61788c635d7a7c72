import { useNavigate } from "@remix-run/react";
import type * as z from "zod/mini";
import { toast } from "#app/ui/toast.ts";
import { translateNamed } from "#app/lib/form-errors.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useForm, type FormControl } from "#app/lib/use-form.ts";
import { isRecordFieldMessage } from "#domain/record-field-messages.ts";
import { adminErrorToast } from "./admin-errors.ts";
import { useAdminErrorHandler } from "./use-admin-mutation.ts";

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
  const form = useForm(schema, {
    onError: useAdminErrorHandler(adminErrorToast(errorToast.title, errorToast.fallback)),
    send: async (values) => {
      await send(values);
      toast(successToast(values));
      navigate(listPath);
    },
  });
  return { ...form, errors: translateNamed(form.errors, isRecordFieldMessage, t) };
}
