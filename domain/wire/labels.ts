import * as z from "zod/mini";
import { messageName } from "../field-messages.ts";

/** A link has at most this many labels. */
export const MAX_LABELS = 5;
/** In UTF-16 units. */
export const LABEL_MAX_LENGTH = 30;

/** A word with which an owner finds links again, in NFC. Only the owner sees the labels of a link. */
export const label = z
  .string()
  .check(
    z.trim(),
    z.normalize("NFC"),
    z.minLength(1),
    z.maxLength(LABEL_MAX_LENGTH),
    z.refine(isPlainText, messageName("notLabel")),
  );

/** Direction overrides could make a label look like another one. */
function isPlainText(text: string): boolean {
  return text.isWellFormed() && !/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(text);
}

/** All labels of a link. Of labels that differ only in the case of their letters, the first stays. */
export const labels = z.pipe(z.array(label).check(z.maxLength(MAX_LABELS)), z.transform(withoutRepeats));

function withoutRepeats(given: string[]): string[] {
  const byKey = new Map<string, string>();
  for (const text of given) {
    const key = text.toLowerCase();
    if (!byKey.has(key)) byKey.set(key, text);
  }
  return [...byKey.values()];
}
