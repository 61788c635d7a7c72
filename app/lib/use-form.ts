import { useState, type FormEvent } from "react";
import type * as z from "zod/mini";
import { useMessages } from "./i18n/messages.ts";
import { focusField, fieldErrors, translateErrors } from "./form-errors.ts";

interface FormOptions<Values> {
  send(values: Values, form: HTMLFormElement): Promise<void>;
  onError(error: unknown, values: Values, form: HTMLFormElement): void;
  /** Receives the untranslated message names by field, before the first of these fields gets the focus. */
  onInvalid?(errors: Record<string, string>): void;
}

export interface FormControl {
  errors: Record<string, string>;
  busy: boolean;
  onSubmit(event: FormEvent<HTMLFormElement>): void;
  /** Optional `onInput` handler that validates the field while the user types. */
  checkInput(event: FormEvent<HTMLFormElement>): void;
}

export function useForm<Schema extends z.ZodMiniType>(
  schema: Schema,
  { send, onError, onInvalid }: FormOptions<z.infer<Schema>>,
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

  return {
    errors: translateErrors(errors, t),
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
