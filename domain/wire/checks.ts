import * as z from "zod/mini";
import type { SchemaGroup, SchemaMessages } from "../field-messages.ts";

type Message = SchemaMessages[SchemaGroup];

/** A check for a schema of optional fields: at least one field has to be present. */
export function changesSomething(message: SchemaMessages["inputs"]) {
  return z.refine<object>((change) => Object.values(change).some((value) => value !== undefined), message);
}

/** Text that is more than spaces. Spaces at the ends of the text are removed. */
export function requiredText(missing: Message, max: number, tooLong: Message) {
  return z.string(missing).check(z.trim(), z.minLength(1, missing), z.maxLength(max, tooLong));
}

/** A schema like `requiredText` that also refuses unpaired surrogates. */
export function requiredName(missing: Message, max: number, tooLong: Message) {
  return requiredText(missing, max, tooLong).check(z.refine((text) => text.isWellFormed(), missing));
}
