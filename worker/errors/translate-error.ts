import { AppError, type ErrorCode, type Sentence, type SentenceValue } from "#domain/errors.ts";
import { isFieldMessage, type FieldMessage } from "#domain/field-messages.ts";
import type { InputMessage } from "#domain/input-messages.ts";
import { LOCALES, type Locale } from "#domain/locale.ts";
import type { RecordFieldMessage } from "#domain/record-field-messages.ts";
import { formatBytes } from "#domain/units.ts";
import type { MessageName, ValuesOf } from "#messages/messages.ts";
import { translatorFor } from "./translator.ts";

/** What an answer's body holds besides a refusal's message and code. */
type Fields = Record<string, unknown>;

/**
 * A refusal in a sentence of its own, which says more than its code's.
 * @param name the sentence's name in the catalogue (`errors`)
 * @returns the error, whose message is English until it is answered
 */
export function localizedError<Name extends MessageName<"errors">>(
  code: ErrorCode,
  name: Name,
  values: Record<keyof ValuesOf<"errors", Name>, SentenceValue>,
  fields: Fields = {},
): AppError {
  return refusal(code, { group: "errors", name, values }, fields);
}

/** A request whose field is wrong, in the words that its form has for that. */
export function localizedFieldError(name: FieldMessage | RecordFieldMessage, fields: Fields): AppError {
  const group = isFieldMessage(name) ? "fields" : "recordFields";
  return refusal("BAD_REQUEST", { group, name, values: {} }, fields);
}

/** A request whose field is wrong, by the field's name on the wire, which is one of the values. */
export function localizedInputError(name: InputMessage, values: Sentence["values"], fields: Fields): AppError {
  return refusal("BAD_REQUEST", { group: "inputs", name, values }, fields);
}

/** Why somebody is refused, in their language; a sentence for programmers stays as it is. */
export function translateError({ code, sentence, details }: AppError, locale: Locale): string {
  if (sentence) return t(sentence, locale);
  return details.message ?? t({ group: "errors", name: code, values: {} }, locale);
}

function refusal(code: ErrorCode, sentence: Sentence, fields: Fields): AppError {
  return new AppError(code, { ...fields, message: t(sentence, LOCALES[0]) }, sentence);
}

function t({ group, name, values }: Sentence, locale: Locale): string {
  const written = Object.entries(values).map(([key, value]) => [key, write(value, locale)] as const);
  const sayAny = translatorFor(locale, group) as (name: string, values: Record<string, string | number>) => string;
  return sayAny(name, Object.fromEntries(written));
}

function write(value: SentenceValue, locale: Locale): string | number {
  if (typeof value !== "object") return value;
  return "bytes" in value ? formatBytes(value.bytes, locale) : translatorFor(locale, "expirations")(value.expiration);
}
