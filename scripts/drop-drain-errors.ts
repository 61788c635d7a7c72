import { stripVTControlCharacters } from "node:util";

const DRAIN_ERROR =
  /Failed to drain the unused request body\. TypeError: This ReadableStream is currently locked to a reader/;

/**
 * `wrangler dev` reads request bodies to the end that the Worker left unread, and reports an error where the Worker
 * itself still reads a body after a refusal (worker/sending/sent-body.ts).
 * @param lines of the standard error of `wrangler dev`
 * @returns the lines without such reports
 */
export async function* dropDrainErrors(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let isInside = false;
  for await (const line of lines) {
    const text = stripVTControlCharacters(line);
    // The report continues with empty lines and a stack.
    isInside = DRAIN_ERROR.test(text) || (isInside && /^\s*(at .*)?$/.test(text));
    if (!isInside) yield line;
  }
}
