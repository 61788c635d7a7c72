import { APIError } from "better-auth/api";
import type { AppError } from "#domain/errors.ts";

/** Replaces a client error (4xx) of better-auth with one of ours. Other errors pass through. */
export async function mapAuthError<Result>(
  call: Promise<Result>,
  toAppError: (status: number) => AppError,
): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof APIError && error.statusCode < 500) throw toAppError(error.statusCode);
    throw error;
  }
}
