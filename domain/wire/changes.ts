import * as z from "zod/mini";
import type { SchemaMessages } from "../field-messages.ts";

/** For a schema whose fields may all be absent: one of them is there. */
export function changesSomething(message: SchemaMessages["inputs"]) {
  return z.refine<object>((change) => Object.values(change).some((value) => value !== undefined), message);
}
