import { useState } from "react";
import type * as z from "zod/mini";
import { refusalOf } from "#app/features/account/refusal-of.ts";
import { focusField } from "#app/lib/focus-field.ts";
import { useForm, type FormControl } from "#app/lib/use-form.ts";

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
