import { AppError, type ErrorCode } from "#domain/errors.ts";
import { LOCALES } from "#domain/locale.ts";
import type { TransferRejection } from "#durable-objects/transfer/results.ts";
import { translate } from "../errors/translate-error.ts";

/** A session's rejection as the error that is answered. */
export function toTransferError(rejection: TransferRejection): AppError {
  const { code, localizedMessage, message, index, missing, missingCount, retryAfterSeconds } = rejection;
  const errorCode: ErrorCode = code === "NO_UPLOAD" ? "UPLOAD_CLOSED" : code;
  const english = localizedMessage ? translate(localizedMessage, LOCALES[0]) : message;
  return new AppError(
    errorCode,
    {
      ...(english === undefined ? {} : { message: english }),
      ...(index === undefined ? {} : { index }),
      ...(missing === undefined ? {} : { missing }),
      ...(missingCount === undefined ? {} : { missingCount }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    },
    localizedMessage ?? null,
  );
}
