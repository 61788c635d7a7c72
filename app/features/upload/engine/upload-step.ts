import { ApiError, saidIn } from "#app/lib/api.ts";
import { UploadError, type ErrorText } from "./errors.ts";

/** A step of an upload failed, and what it failed of, its `cause`, has no words for a person. */
export class StepError extends UploadError {
  constructor(words: ErrorText, cause: unknown) {
    super(words, { cause });
    this.name = "StepError";
  }
}

/**
 * Runs a step. Where no answer comes, or one that cannot be read or says nothing of itself, the step's own words are
 * what a person reads.
 * @param words what has failed then
 * @throws StepError, or the step's own error where that has a message of the server's
 */
export async function inWords<Answer>(words: ErrorText, step: () => Promise<Answer>): Promise<Answer> {
  try {
    return await step();
  } catch (error) {
    throw isSilent(error) ? new StepError(words, error) : error;
  }
}

/**
 * Runs a call that has to answer an object with these fields, and says its own words as `inWords` does.
 * @throws StepError, ApiError, DOMException AbortError
 */
export function answering<Answer extends object>(
  words: ErrorText,
  fields: readonly (keyof Answer & string)[],
  call: () => Promise<Answer | null>,
): Promise<Answer> {
  return inWords(words, async () => {
    const answer = await call();
    if (answer !== null && fields.every((field) => field in answer)) return answer;
    throw new SyntaxError("The answer is not what was agreed.");
  });
}

/** The error itself, or what a step failed of. */
export function causeOf(error: unknown): unknown {
  return error instanceof StepError ? error.cause : error;
}

function isSilent(error: unknown): boolean {
  if (error instanceof ApiError) return error.status !== 401 && saidIn(error.body) === null;
  return error instanceof TypeError || error instanceof SyntaxError;
}
