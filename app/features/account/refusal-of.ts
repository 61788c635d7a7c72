import { ApiError, messageFromBody } from "#app/lib/api.ts";
import { messageOf } from "#app/lib/form-errors.ts";

/** What the server says of a code. Elsewhere every 401 is worded as "log in", which a wrong code does not mean. */
export function refusalOf(error: unknown, fallback: string): string {
  return (error instanceof ApiError ? messageFromBody(error.body) : null) ?? messageOf(error, fallback);
}
