export interface ReferenceField {
  /** The field's path, such as `upload.urls[].part`. */
  name: string;
  /** In words, such as "integer, 1 to 100". */
  type: string;
  isRequired: boolean;
  description: string;
}

export const CODE_LANGUAGES = ["curl", "JavaScript", "CLI"] as const;
export type CodeLanguage = (typeof CODE_LANGUAGES)[number];

/** A call, as the API reference shows calls. */
export interface ReferenceCall {
  /** The name of the operation, which is also the anchor of the call. */
  id: string;
  tag: string;
  method: string;
  /** With `/api/v1`, and parameters in braces. */
  path: string;
  summary: string;
  description: string;
  needsKey: boolean;
  /** Parameters of the path, the query and the headers. */
  parameters: ReferenceField[];
  body: ReferenceField[];
  /** The status of the answer, such as "201". */
  status: string;
  answer: ReferenceField[];
  /** JSON. Null if the answer has no JSON. */
  answerExample: string | null;
  refusals: { status: string; code: string; message: string }[];
  examples: Record<CodeLanguage, string>;
}

/** A webhook event, as the API reference shows events. */
export interface ReferenceEvent {
  /** The event's type, which is also its anchor. */
  id: string;
  tag: string;
  summary: string;
  /** The headers of the webhook's request. */
  parameters: ReferenceField[];
  body: ReferenceField[];
  /** An example of the body, in JSON. */
  example: string;
}

/**
 * @param search words, in any case @returns the calls whose text has, for each word of `search`, a word that begins
 * with it
 */
export function findCalls(calls: readonly ReferenceCall[], search: string): readonly ReferenceCall[] {
  return findIn(calls, search, textOf);
}

/** Finds events as `findCalls` finds calls. */
export function findEvents(events: readonly ReferenceEvent[], search: string): readonly ReferenceEvent[] {
  return findIn(events, search, textOfEvent);
}

function findIn<Found>(list: readonly Found[], search: string, textOf: (one: Found) => string): readonly Found[] {
  const words = wordsOf(search);
  return list.filter((one) => {
    const text = textOf(one);
    // A search finds a name as a whole and by its parts, for example `maxDownloads` by "maxdown" and by "downloads".
    const known = [...wordsOf(text), ...wordsOf(text.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " "))];
    return words.every((word) => known.some((begun) => begun.startsWith(word)));
  });
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter(Boolean);
}

function textOf({ id, tag, method, path, summary, description, parameters, body, answer, refusals }: ReferenceCall) {
  const codes = refusals.map(({ status, code }) => `${status} ${code}`);
  const fields = textsOf([...parameters, ...body, ...answer]);
  return [id, tag, method, path, summary, description, ...fields, ...codes].join(" ");
}

function textOfEvent({ id, tag, summary, parameters, body }: ReferenceEvent) {
  return [id, tag, summary, ...textsOf([...parameters, ...body])].join(" ");
}

function textsOf(fields: readonly ReferenceField[]): string[] {
  return fields.map(({ name, description }) => `${name} ${description}`);
}
