import { ApiError, messageFromBody } from "./api-error.ts";
import { UploadError, type UploadProblem } from "./errors.ts";

/**
 * @param problem what the person reads if the step's own error has no message for them
 * @throws UploadError with the step's error as its cause, or the step's error
 */
export async function withProblem<Result>(problem: UploadProblem, step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    throw hasMessage(error) ? error : new UploadError(problem, { cause: error });
  }
}

/** Makes an API call whose answer must be an object with these fields. @throws as `withProblem` */
export function requireAnswer<Answer extends object>(
  problem: UploadProblem,
  fields: readonly (keyof Answer & string)[],
  call: () => Promise<Answer | null>,
): Promise<Answer> {
  return withProblem(problem, async () => {
    const answer = await call();
    if (answer !== null && fields.every((field) => field in answer)) return answer;
    throw new SyntaxError(`The answer lacks one of ${fields.join(", ")}.`);
  });
}

/** Whether a retry of an API call may succeed: after no response, a server error or a rate limit. */
export function isRetryableCall(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500 || error.status === 429;
  return error instanceof TypeError;
}

/** `fetch` throws TypeError without a response, `Response.json` SyntaxError for one that is not JSON. */
function hasMessage(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 401 || messageFromBody(error.body) !== null;
  return !(error instanceof TypeError || error instanceof SyntaxError);
}
