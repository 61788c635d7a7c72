import { AppError, type ErrorCode, type LocalizedMessage, type MessageValue } from "#domain/errors.ts";
import type { SchemaGroup } from "#domain/field-messages.ts";
import { LOCALES, type Locale } from "#domain/locale.ts";
import { formatBytes } from "#domain/units.ts";
import { compiledGroup, translatorFor } from "#messages/compiled.ts";
import type { MessageName, ValuesOf } from "#messages/messages.ts";

type Fields = Record<string, unknown>;

/** An error with an English message, which `translateError` translates for the response. */
export function localizedError<Name extends MessageName<"errors">>(
  code: ErrorCode,
  name: Name,
  values: Record<keyof ValuesOf<"errors", Name>, MessageValue>,
  fields: Fields = {},
): AppError {
  return createError(code, { group: "errors", name, values }, fields);
}

/** Whether a schema's error message is the name of a message in `group`. */
export function isMessageOf<G extends SchemaGroup>(group: G, message: string): message is MessageName<G> {
  return compiledGroup(LOCALES[0], group)[message] !== undefined;
}

export function localizedFieldError<G extends SchemaGroup>(group: G, name: MessageName<G>, fields: Fields): AppError {
  return createError("BAD_REQUEST", { group, name, values: {} }, fields);
}

/**
 * An error about an invalid input of an API client.
 * @param values the values of the message, among them the field's name in the request
 */
export function localizedInputError(
  name: MessageName<"inputs">,
  values: LocalizedMessage["values"],
  fields: Fields,
): AppError {
  return createError("BAD_REQUEST", { group: "inputs", name, values }, fields);
}

/** Translates an error's message. A message without a translation is for developers and stays English. */
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
