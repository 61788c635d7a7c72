import { useState } from "react";
import type * as z from "zod/mini";
import { serverMessage } from "./api.ts";
import { focusField, messageOf } from "./form-errors.ts";
import { useForm, type FormControl } from "./use-form.ts";

interface AnswerFormOptions<Values> {
  /** The error text if the server gives no reason. */
  fallback: string;
  /** Default: `refusalOf`. */
  wording?(error: unknown, fallback: string): string;
  send(answer: Values): Promise<void>;
}

/**
 * A form whose answer proves who the person is, such as a code. The field of a refused answer gets the focus again.
 * @returns `field`, whose error includes the server's refusal, and `forget`, which clears the refusal
 */
export function useAnswerForm<Schema extends z.ZodMiniType<object>>(
  schema: Schema,
  { fallback, wording = refusalOf, send }: AnswerFormOptions<z.infer<Schema>>,
): FormControl & { forget(): void } {
  const [refusal, setRefusal] = useState("");
  const form = useForm(schema, {
    onError: (error, values, element) => {
      setRefusal(wording(error, fallback));
      focusField(element, values);
    },
    send: async (answer) => {
      setRefusal("");
      await send(answer);
    },
  });
  return {
    ...form,
    field: (name) => ({ name, error: form.errors[name] ?? refusal }),
    forget: () => setRefusal(""),
  };
}

/**
 * The server's message for a refused code. `error.message` of every 401 reads "log in", which would mislead a person
 * who has typed a wrong code.
 */
export function refusalOf(error: unknown, fallback: string): string {
  return serverMessage(error) ?? messageOf(error, fallback);
}
