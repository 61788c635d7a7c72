import { useState } from "react";
import type * as z from "zod/mini";
import { focusField, messageOf } from "#app/lib/form-errors.ts";
import { useForm, type FormControl } from "#app/lib/use-form.ts";
import { ApiError, messageFromBody } from "#app/lib/api.ts";

interface AnswerFormOptions<Values> {
  /** What is said where the server gave no reason. */
  fallback: string;
  send(answer: Values): Promise<void>;
}

export interface AnswerForm extends FormControl {
  /** Why the server refused the answer; "" before it did. It belongs to the first field. */
  refusal: string;
  setRefusal(refusal: string): void;
}

/** For forms that ask who it is. A refused answer leaves the focus in its field. */
export function useAnswerForm<Schema extends z.ZodMiniType<object>>(
  schema: Schema,
  { fallback, send }: AnswerFormOptions<z.infer<Schema>>,
): AnswerForm {
  const [refusal, setRefusal] = useState("");
  const form = useForm(schema, {
    onError: (error, values, element) => {
      setRefusal(refusalOf(error, fallback));
      focusField(element, values);
    },
    send: async (answer) => {
      setRefusal("");
      await send(answer);
    },
  });
  return { ...form, refusal, setRefusal };
}

/** What the server says of a code. Elsewhere every 401 is worded as "log in", which a wrong code does not mean. */
export function refusalOf(error: unknown, fallback: string): string {
  return (error instanceof ApiError ? messageFromBody(error.body) : null) ?? messageOf(error, fallback);
}
