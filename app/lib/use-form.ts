import { useState, type FormEvent } from "react";
import type * as z from "zod/mini";
import { focusField, fieldErrors, translateErrors } from "./form-errors.ts";
import { useMessages } from "./i18n/messages.ts";

interface FormOptions<Values> {
  send(values: Values, form: HTMLFormElement): Promise<void>;
  onError(error: unknown, values: Values, form: HTMLFormElement): void;
  /** Receives the untranslated message names by field, before the first invalid field gets the focus. */
  onInvalid?(errors: Record<string, string>): void;
  /** Translates errors that are message names of another group than "fields". */
  translate?(errors: Record<string, string>): Record<string, string>;
}

export interface FormControl {
  /** Translated errors by field name. */
  errors: Record<string, string>;
  /** The name and error for the input of a field. */
  field(name: string): { name: string; error: string | undefined };
  busy: boolean;
  onSubmit(event: FormEvent<HTMLFormElement>): void;
  /** Optional `onInput` handler that validates the field while the user types. */
  checkInput(event: FormEvent<HTMLFormElement>): void;
}

export function useForm<Schema extends z.ZodMiniType>(
  schema: Schema,
  { send, onError, onInvalid, translate = (unchanged) => unchanged }: FormOptions<z.infer<Schema>>,
): FormControl {
  const t = useMessages("fields");
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);

  const submit = async (form: HTMLFormElement) => {
    const parsed = schema.safeParse(Object.fromEntries(new FormData(form)));
    const newErrors = parsed.success ? {} : fieldErrors(parsed.error);
    setErrors(newErrors);
    if (!parsed.success) {
      onInvalid?.(newErrors);
      focusField(form, newErrors);
      return;
    }
    setBusy(true);
    try {
      await send(parsed.data, form);
    } catch (error) {
      onError(error, parsed.data, form);
    } finally {
      setBusy(false);
    }
  };

  const validateField = (form: HTMLFormElement, field: string) => {
    const parsed = schema.safeParse(Object.fromEntries(new FormData(form)));
    const { [field]: error = "" } = parsed.success ? {} : fieldErrors(parsed.error);
    setErrors((previous) => ({ ...previous, [field]: error }));
  };

  const shown = translate(translateErrors(errors, t));
  return {
    errors: shown,
    field: (name) => ({ name, error: shown[name] }),
    busy,
    checkInput: (event) => {
      if ("name" in event.target) validateField(event.currentTarget, String(event.target.name));
    },
    onSubmit: (event) => {
      event.preventDefault();
      void submit(event.currentTarget);
    },
  };
}
