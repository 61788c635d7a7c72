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
  const translated = Object.entries(errors).map(([field, error]) => [field, isFieldMessage(error) ? t(error) : error]);
  return Object.fromEntries(translated) as Record<string, string>;
}

export function messageOf(error: unknown, fallback: string): string {
  return error instanceof Error && error.message !== "" ? error.message : fallback;
}
