import {
  isAccountFieldMessage,
  type AccountFieldMessage,
  isFieldMessage,
  type FieldMessage,
  type InputMessage,
  type RecordFieldMessage,
} from "#domain/field-messages.ts";
import { AppError, type ErrorCode, type LocalizedMessage, type MessageValue } from "#domain/errors.ts";
import { LOCALES, type Locale } from "#domain/locale.ts";
import { formatBytes } from "#domain/units.ts";
import type { MessageName, ValuesOf } from "#messages/messages.ts";
import { translatorFor } from "#messages/compiled.ts";

type Fields = Record<string, unknown>;

/** English until it is answered. */
export function localizedError<Name extends MessageName<"errors">>(
  code: ErrorCode,
  name: Name,
  values: Record<keyof ValuesOf<"errors", Name>, MessageValue>,
  fields: Fields = {},
): AppError {
  return createError(code, { group: "errors", name, values }, fields);
}

export function localizedFieldError(
  name: FieldMessage | AccountFieldMessage | RecordFieldMessage,
  fields: Fields,
): AppError {
  return createError("BAD_REQUEST", { group: groupOf(name), name, values: {} }, fields);
}

function groupOf(name: FieldMessage | AccountFieldMessage | RecordFieldMessage): LocalizedMessage["group"] {
  if (isFieldMessage(name)) return "fields";
  return isAccountFieldMessage(name) ? "accountFields" : "recordFields";
}

/** For API clients. @param values contain the field's name in the request */
export function localizedInputError(name: InputMessage, values: LocalizedMessage["values"], fields: Fields): AppError {
  return createError("BAD_REQUEST", { group: "inputs", name, values }, fields);
}

/** Messages without a translation are for developers and stay English. */
export function translateError({ code, localizedMessage, details }: AppError, locale: Locale): string {
  if (localizedMessage) return translate(localizedMessage, locale);
  return details.message ?? translate({ group: "errors", name: code, values: {} }, locale);
}

function createError(code: ErrorCode, localizedMessage: LocalizedMessage, fields: Fields): AppError {
  return new AppError(code, { ...fields, message: translate(localizedMessage, LOCALES[0]) }, localizedMessage);
}

export function translate({ group, name, values }: LocalizedMessage, locale: Locale): string {
  const formatted = Object.entries(values).map(([key, value]) => [key, formatValue(value, locale)] as const);
  const t = translatorFor(locale, group) as (name: string, values: Record<string, string | number>) => string;
  return t(name, Object.fromEntries(formatted));
}

function formatValue(value: MessageValue, locale: Locale): string | number {
  if (typeof value !== "object") return value;
  return "bytes" in value ? formatBytes(value.bytes, locale) : translatorFor(locale, "expirations")(value.expiration);
}
