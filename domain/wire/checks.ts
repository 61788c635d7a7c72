import * as z from "zod/mini";
import type { SchemaGroup, SchemaMessages } from "../field-messages.ts";

type Message = SchemaMessages[SchemaGroup];

/** For a schema whose fields may all be absent: one of them is there. */
export function changesSomething(message: SchemaMessages["inputs"]) {
  return z.refine<object>((change) => Object.values(change).some((value) => value !== undefined), message);
}

/** Text that is more than spaces. Those at its ends are dropped. */
export function requiredText(missing: Message, max: number, tooLong: Message) {
  return z.string(missing).check(z.trim(), z.minLength(1, missing), z.maxLength(max, tooLong));
}

/** Does what `requiredText` does, and refuses halves of characters. */
export function requiredName(missing: Message, max: number, tooLong: Message) {
  return requiredText(missing, max, tooLong).check(z.refine((text) => text.isWellFormed(), missing));
}
