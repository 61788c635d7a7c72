import { stripVTControlCharacters } from "node:util";

const DRAIN_ERROR =
  /Failed to drain the unused request body\. TypeError: This ReadableStream is currently locked to a reader/;

/**
 * `wrangler dev` reads bodies that the Worker left, and calls it an error where the Worker itself still reads after a
 * refusal (worker/sending/sent-body.ts).
 * @param lines of its standard error @returns the others
 */
export async function* dropDrainErrors(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let isInside = false;
  for await (const line of lines) {
    const text = stripVTControlCharacters(line);
    // Empty lines and the stack follow.
    isInside = DRAIN_ERROR.test(text) || (isInside && /^\s*(at .*)?$/.test(text));
    if (!isInside) yield line;
  }
}
