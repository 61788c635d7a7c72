import type { SchemaGroup } from "#domain/field-messages.ts";
import type { Translate } from "#messages/translate.ts";

interface ValidationError {
  issues: { path: PropertyKey[]; message: string }[];
}

/** @returns the first message name of each invalid field, by field name */
export function fieldErrors(error: ValidationError): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { path, message } of error.issues) errors[String(path[0] ?? "")] ??= message;
  return errors;
}

/** Translates message names; other texts stay. @param t translator of the names' group */
export function translateErrors(
  errors: Record<string, string>,
  t: Pick<Translate<SchemaGroup>, "named">,
): Record<string, string> {
  return Object.fromEntries(Object.entries(errors).map(([field, error]) => [field, t.named(error)]));
}

export function messageOf(error: unknown, fallback: string): string {
  return error instanceof Error && error.message !== "" ? error.message : fallback;
}

/** Focuses the first field in `names`, so that screen readers read the field with its error. */
export function focusField(form: HTMLFormElement, names: object): void {
  for (const field of form.elements) {
    const isField =
      field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement;
    if (isField && field.name in names) {
      field.focus();
      return;
    }
  }
}
