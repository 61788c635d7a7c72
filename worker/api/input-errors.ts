import type * as z from "zod/mini";
import { AppError } from "#domain/errors.ts";
import { isFieldMessage } from "#domain/field-messages.ts";
import { isInputMessage, type InputMessage } from "#domain/input-messages.ts";
import { isRecordFieldMessage } from "#domain/record-field-messages.ts";
import { localizedFieldError, localizedInputError } from "../errors/translate-error.ts";

type Issue = z.core.$ZodIssue;
type Values = Record<string, string | number>;

/** For `safeParse`: issues come with their input, and without zod's words where the schema has none of its own. */
export const WITHOUT_WORDS = { reportInput: true, error: () => "" } as const;

/**
 * Says what is wrong with a request: in the words of the form that has the field, in the schema's own, or by the
 * field's name.
 * @param issue from a `safeParse` with `WITHOUT_WORDS`
 * @param name stands for the whole value, where that is no object
 * @param more further fields for the answer's body
 * @returns an AppError BAD_REQUEST that names the field
 */
export function refuseIssue(issue: Issue, name: string, more: Record<string, unknown> = {}): AppError {
  const field = issue.path.length === 0 ? name : issue.path.map(String).join(".");
  const fields = { field, ...more };
  const said = issue.message;
  if (isFieldMessage(said) || isRecordFieldMessage(said)) return localizedFieldError(said, fields);
  const isSentence = said !== "" && !isInputMessage(said) && issue.input !== undefined;
  if (isSentence) return new AppError("BAD_REQUEST", { message: said, ...fields });
  const { message, values } = wordsFor(issue, field);
  return localizedInputError(message, { field, ...values }, fields);
}

interface ErrorText {
  message: InputMessage;
  values?: Values;
}

function wordsFor(issue: Issue, field: string): ErrorText {
  if (issue.input === undefined) return { message: "missing" };
  if (isInputMessage(issue.message)) return { message: issue.message };
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

/** Only whole numbers have a lowest value that they must exceed. */
function tooSmall(origin: string, minimum: number, isInclusive: boolean): ErrorText {
  if (origin === "string" && minimum === 1) return { message: "empty" };
  return { message: TOO_SMALL[origin] ?? "tooSmall", values: { count: isInclusive ? minimum : minimum + 1 } };
}

const TYPES: Partial<Record<string, InputMessage>> = {
  string: "notText",
  number: "notNumber",
  int: "notWhole",
  boolean: "notFlag",
  array: "notList",
  object: "notObject",
  record: "notObject",
};
const TOO_SMALL: Partial<Record<string, InputMessage>> = { string: "tooShort", array: "tooFew" };
const TOO_BIG: Partial<Record<string, InputMessage>> = { string: "tooLong", array: "tooMany" };
