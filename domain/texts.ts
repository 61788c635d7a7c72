import { TEXT_PREVIEW_BYTES } from "./preview.ts";

/** The kinds of texts that are written on a page or with the command line: the ending of their file, and its type. */
const KINDS = {
  text: { ending: "txt", type: "text/plain" },
  markdown: { ending: "md", type: "text/markdown" },
  json: { ending: "json", type: "application/json" },
  /** One type for every language: the type of HTML, for example, has no preview. */
  code: { ending: "txt", type: "text/x-code" },
} as const;

export type TextKind = keyof typeof KINDS;
export const TEXT_KINDS = Object.keys(KINDS) as TextKind[];

/** The most bytes of a written text: the preview shows all of them. */
export const MAX_TEXT_BYTES = TEXT_PREVIEW_BYTES;

/** The type says UTF-8, which the types of chosen files do not say: `isWrittenText` in preview.ts. */
export function typeOfText(kind: TextKind): string {
  return `${KINDS[kind].type}; charset=utf-8`;
}

/** @param typed the name that the person typed; "" for none @returns the name with the kind's ending if it has none */
export function nameOfText(kind: TextKind, typed: string): string {
  const name = typed.trim() || (kind === "code" ? "code" : "note");
  return /[^.]\.[^.]+$/.test(name) ? name : `${name}.${KINDS[kind].ending}`;
}

/** Whether a written text is read as prose. Other texts are code, whose columns matter. */
export function isProse(mimeType: string): boolean {
  return /^text\/(?:plain|markdown)\b/i.test(mimeType);
}

const URLS = /\bhttps?:\/\/[^\s<>"'`\p{Cc}]+/giu;
/** Signs that end a sentence or close a quotation, and rarely an address. */
const TRAILING = ".,;:!?*_~»”’…";
/** A page with more links than this would be slow. Addresses after these stay text. */
const MOST_LINKS = 1000;

/** @returns the text in pieces, in order; a piece with a `url` is a web address, as it stands in the text */
export function splitAtLinks(text: string): { text: string; url?: string }[] {
  const pieces: { text: string; url?: string }[] = [];
  let from = 0;
  let links = 0;
  for (const { 0: match, index } of text.matchAll(URLS)) {
    if (links === MOST_LINKS) break;
    const url = withoutSentence(match);
    if (!URL.canParse(url)) continue;
    if (index > from) pieces.push({ text: text.slice(from, index) });
    pieces.push({ text: url, url });
    links += 1;
    from = index + url.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from) });
  return pieces;
}

const BRACKETS: Partial<Record<string, string>> = { ")": "(", "]": "[" };

/** Removes what belongs to the sentence around an address: signs at its end, and brackets that it does not open. */
function withoutSentence(address: string): string {
  const count = (sign: string) => address.split(sign).length;
  const unopened: Partial<Record<string, number>> = {};
  for (const [close, open = ""] of Object.entries(BRACKETS)) unopened[close] = count(close) - count(open);
  let end = address.length;
  for (let sign = address[end - 1]; sign !== undefined; sign = address[end - 1]) {
    const left = unopened[sign] ?? 0;
    if (left > 0) unopened[sign] = left - 1;
    else if (!TRAILING.includes(sign)) break;
    end -= 1;
  }
  return address.slice(0, end);
}
