import { isFieldMessage } from "#domain/field-messages.ts";
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

export function translateErrors(errors: Record<string, string>, t: Translate<"fields">): Record<string, string> {
  return translateNamed(errors, isFieldMessage, t);
}

/**
 * Leaves what `isNamed` does not know, such as the messages of another group.
 * @param isNamed whether an error is the name of a message of the group @param t of that group
 */
export function translateNamed<Name extends string>(
  errors: Record<string, string>,
  isNamed: (error: string) => error is Name,
  t: (name: Name) => string,
): Record<string, string> {
  const translated = Object.entries(errors).map(([field, error]) => [field, isNamed(error) ? t(error) : error]);
  return Object.fromEntries(translated) as Record<string, string>;
}

export function messageOf(error: unknown, fallback: string): string {
  return error instanceof Error && error.message !== "" ? error.message : fallback;
}

/** Moves the focus to the first of these fields, so that a screen reader reads it with its error. */
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
