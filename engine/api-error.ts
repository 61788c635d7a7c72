/** Our API answered with an error status. The message is fit to be shown to the user. */
export class ApiError extends Error {
  readonly status: number;
  /** Empty unless the answer was a JSON object. */
  readonly body: Record<string, unknown>;

  constructor(status: number, message: string, body: Record<string, unknown> = {}) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.body = body;
  }
}

/** The first of `message`, `details` and `error` that is a non-empty string. */
export function messageFromBody(body: Record<string, unknown>): string | null {
  const message = [body.message, body.details, body.error].find((value) => typeof value === "string" && value !== "");
  return typeof message === "string" ? message : null;
}

/** @returns null for text that is not a JSON object */
export function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
