import type * as z from "zod/mini";
import { AppError } from "#domain/errors.ts";
import type { MessageName } from "#messages/messages.ts";
import { isMessageOf, localizedFieldError, localizedInputError } from "../errors/translate-error.ts";

type Issue = z.core.$ZodIssue;
type Values = Record<string, string | number>;

/** For `safeParse`: adds the input to each issue and omits zod's default messages. */
export const PARSE_OPTIONS = { reportInput: true, error: () => "" } as const;

/**
 * @param issue from a `safeParse` with `PARSE_OPTIONS`
 * @param name the name that the error gives to a value that is not an object
 */
export function toInputError(issue: Issue, name: string, details: Record<string, unknown> = {}): AppError {
  const field = issue.path.length === 0 ? name : issue.path.map(String).join(".");
  const fields = { field, ...details };
  const ownMessage = issue.message;
  for (const group of ["fields", "accountFields", "recordFields"] as const) {
    if (isMessageOf(group, ownMessage)) return localizedFieldError(group, ownMessage, fields);
  }
  const isSentence = ownMessage !== "" && !isMessageOf("inputs", ownMessage) && issue.input !== undefined;
  if (isSentence) return new AppError("BAD_REQUEST", { message: ownMessage, ...fields });
  const { message, values } = messageFor(issue, field);
  return localizedInputError(message, { field, ...values }, fields);
}

interface MessageWithValues {
  message: MessageName<"inputs">;
  values?: Values;
}

function messageFor(issue: Issue, field: string): MessageWithValues {
  if (issue.input === undefined) return { message: "missing" };
  if (isMessageOf("inputs", issue.message)) return { message: issue.message };
  switch (issue.code) {
    case "invalid_type":
      return { message: field === "" ? "bodyNotObject" : (TYPES[issue.expected] ?? "wrong") };
    case "invalid_value":
      return { message: "notOneOf", values: { choices: issue.values.map(String).join(", ") } };
    case "too_small":
      return tooSmall(issue.origin, Number(issue.minimum), issue.inclusive ?? true);
    case "too_big":
      return { message: TOO_BIG[issue.origin] ?? "tooBig", values: { count: Number(issue.maximum) } };
    default:
      return { message: "wrong" };
  }
}

/** Exclusive minimums occur only for integers, so with one the smallest valid value is `minimum + 1`. */
function tooSmall(origin: string, minimum: number, isInclusive: boolean): MessageWithValues {
  if (origin === "string" && minimum === 1) return { message: "empty" };
  return { message: TOO_SMALL[origin] ?? "tooSmall", values: { count: isInclusive ? minimum : minimum + 1 } };
}

const TYPES: Partial<Record<string, MessageName<"inputs">>> = {
  string: "notText",
  number: "notNumber",
  int: "notWhole",
  boolean: "notFlag",
  array: "notList",
  tuple: "notList",
  object: "notObject",
  record: "notObject",
};
const TOO_SMALL: Partial<Record<string, MessageName<"inputs">>> = { string: "tooShort", array: "tooFew" };
const TOO_BIG: Partial<Record<string, MessageName<"inputs">>> = { string: "tooLong", array: "tooMany" };
