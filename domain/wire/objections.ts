import * as z from "zod/mini";
import { messageName } from "../field-messages.ts";
import type { Decision, StatementReader } from "../moderation/statements.ts";

export const OBJECTION_MAX_LENGTH = 2000;
export const objectionRequest = z.object({
  text: z
    .string(messageName("objectionMissing"))
    .check(
      z.trim(),
      z.minLength(3, messageName("objectionMissing")),
      z.maxLength(OBJECTION_MAX_LENGTH, messageName("objectionLong")),
    ),
});

/** A decision as the person sees it who has the link to object. The date is ISO 8601. */
export interface ObjectionInfo {
  decision: Decision;
  reader: StatementReader;
  about: string;
  reason: string;
  at: string;
  hasObjected: boolean;
}
