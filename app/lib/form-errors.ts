import { isFieldMessage } from "#domain/field-messages.ts";
import type { Translate } from "#messages/translate.ts";

interface FormIssues {
  issues: { path: PropertyKey[]; message: string }[];
}

/** The first message of each field that is wrong, by the field's name, as the schema names it. */
export function fieldErrors(error: FormIssues): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { path, message } of error.issues) errors[String(path[0] ?? "")] ??= message;
  return errors;
}

/** The same in the reader's words. */
export function translateErrors(errors: Record<string, string>, t: Translate<"fields">): Record<string, string> {
  const said = Object.entries(errors).map(([field, error]) => [field, isFieldMessage(error) ? t(error) : error]);
  return Object.fromEntries(said) as Record<string, string>;
}

/** What an error says, or the fallback. */
export function messageOf(error: unknown, fallback: string): string {
  return error instanceof Error && error.message !== "" ? error.message : fallback;
}
