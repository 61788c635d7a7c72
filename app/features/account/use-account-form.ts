import type * as z from "zod/mini";
import { translateErrors } from "#app/lib/form-errors.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useForm, type FormControl } from "#app/lib/use-form.ts";

/** A `useForm` for the account page, with translated field errors. */
export function useAccountForm<Schema extends z.ZodMiniType>(
  ...[schema, options]: Parameters<typeof useForm<Schema>>
): FormControl {
  const t = useMessages("accountFields");
  return useForm(schema, { ...options, translate: (errors) => translateErrors(errors, t) });
}
