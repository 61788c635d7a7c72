import { useState } from "react";
import type * as z from "zod/mini";
import { serverMessage } from "./api.ts";
import { focusField, messageOf } from "./form-errors.ts";
import { useForm, type FormControl } from "./use-form.ts";

interface AnswerFormOptions<Values> {
  /** What is said where the server gave no reason. */
  fallback: string;
  /** Default: `refusalOf`. */
  wording?(error: unknown, fallback: string): string;
  send(answer: Values): Promise<void>;
}

/**
 * For forms that ask who it is. A refused answer leaves the focus in its field.
 * @returns `field` of the one that has the answer says why the server refused it; `forget` drops that
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

/** What the server says of a code. Elsewhere every 401 is worded as "log in", which a wrong code does not mean. */
export function refusalOf(error: unknown, fallback: string): string {
  return serverMessage(error) ?? messageOf(error, fallback);
}
