import { MAX_TEXT_BYTES, nameOfText, typeOfText, type TextKind } from "#domain/texts.ts";
import { portableName } from "#domain/transfers/portable-paths.ts";

/** A text that is being written. */
export interface TextDraft {
  text: string;
  kind: TextKind;
  /** "" for the kind's own name. */
  name: string;
}

export function newText(text = ""): TextDraft {
  return { text, kind: "text", name: "" };
}

/** A text is a file like any other. */
export function fileOfText({ text, kind, name }: TextDraft): File {
  return new File([text], portableName(nameOfText(kind, name)), { type: typeOfText(kind) });
}

export function isTooLong({ text }: TextDraft): boolean {
  // Each UTF-16 unit has at least one byte in UTF-8, so a longer text need not be encoded.
  return text.length > MAX_TEXT_BYTES || new TextEncoder().encode(text).length > MAX_TEXT_BYTES;
}

/** Whether the text can be sent. */
export function isWritten(draft: TextDraft): boolean {
  return draft.text.trim() !== "" && !isTooLong(draft);
}
