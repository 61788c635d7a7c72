import { useState, type FormEvent } from "react";
import type * as z from "zod/mini";
import { useMessages } from "./i18n/messages.ts";
import { fieldErrors, translateErrors } from "./form-errors.ts";

interface FormOptions<Values> {
  send(values: Values, form: HTMLFormElement): Promise<void>;
  onError(error: unknown, values: Values): void;
  /** Called with what is wrong before anything is sent, as the schema names it. */
  onInvalid?(errors: Record<string, string>): void;
}

export interface FormControl {
  /** The first message of each field that is wrong, by the field's name. */
  errors: Record<string, string>;
  busy: boolean;
  onSubmit(event: FormEvent<HTMLFormElement>): void;
  /** Given to a form as its `onInput`, it says what is wrong with a field as the person types. */
  checkInput(event: FormEvent<HTMLFormElement>): void;
}

/** A form that is checked by a schema and sent once at a time. */
export function useForm<Schema extends z.ZodMiniType>(
  schema: Schema,
  { send, onError, onInvalid }: FormOptions<z.infer<Schema>>,
): FormControl {
  const t = useMessages("fields");
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);

  const submit = async (form: HTMLFormElement) => {
    const parsed = schema.safeParse(Object.fromEntries(new FormData(form)));
    const found = parsed.success ? {} : fieldErrors(parsed.error);
    setErrors(found);
    if (!parsed.success) {
      onInvalid?.(found);
      return;
    }
    setBusy(true);
    try {
      await send(parsed.data, form);
    } catch (error) {
      onError(error, parsed.data);
    } finally {
      setBusy(false);
    }
  };

  const check = (form: HTMLFormElement, field: string) => {
    const parsed = schema.safeParse(Object.fromEntries(new FormData(form)));
    const found = parsed.success ? {} : fieldErrors(parsed.error);
    const { [field]: wrong = "" } = found;
    setErrors((former) => ({ ...former, [field]: wrong }));
  };

  return {
    errors: translateErrors(errors, t),
    busy,
    checkInput: (event) => {
      if ("name" in event.target) check(event.currentTarget, String(event.target.name));
    },
    onSubmit: (event) => {
      event.preventDefault();
      void submit(event.currentTarget);
    },
  };
}
