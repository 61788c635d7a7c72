import type * as z from "zod/mini";
import { translateNamed } from "#app/lib/form-errors.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useForm, type FormControl } from "#app/lib/use-form.ts";
import { isAccountFieldMessage } from "#domain/field-messages.ts";

/** For forms that only the account page has. */
export function useAccountForm<Schema extends z.ZodMiniType>(
  ...[schema, options]: Parameters<typeof useForm<Schema>>
): FormControl {
  const t = useMessages("accountFields");
  return useForm(schema, { ...options, translate: (errors) => translateNamed(errors, isAccountFieldMessage, t) });
}
