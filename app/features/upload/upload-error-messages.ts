import { ApiError } from "#app/lib/api.ts";
import { messageOf } from "#app/lib/form-errors.ts";
import type { Toast } from "#app/ui/toast.ts";
import type { ErrorCode } from "#domain/errors.ts";
import { LARGEST_FILE_BYTES } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";
import type { ValuesOf } from "#messages/messages.ts";
import type { Translate } from "#messages/translate.ts";
import { rootCause, TransportError, UploadError, type UploadProblem } from "#engine/errors.ts";

type UploadsTranslate = Translate<"uploads">;

const PLAN_LIMIT: ErrorCode = "PLAN_LIMIT_EXCEEDED";

/** Statuses of a gateway that got no answer from us in time. 522 and 524 are Cloudflare's. */
const TIMEOUT_STATUSES = [408, 504, 522, 524];

export function describeOnHome(error: unknown, t: UploadsTranslate): Toast {
  const message = messageFor(error, t, t("uploadFailed"));
  if (isPlanLimit(error)) {
    return {
      ...errorToast(t("storageLimitExceeded"), t("storageLimitText", { message })),
      action: { label: t("seePlans"), to: "/pricing" },
    };
  }
  // Our API answers every "too large" with 413. Gateways and other storage may say "too large" in their message alone.
  if (statusOf(error) === 413 || /too large/i.test(message)) return errorToast(t("fileTooLarge"), message);
  return errorToast(t("uploadFailed"), message);
}

export function describeOnUploadPage(error: unknown, t: UploadsTranslate): Toast {
  const transport = error instanceof TransportError ? error.transport : null;
  if (transport === "chunks" && statusOf(error) === 413) return errorToast(t("chunkTooLarge"), t("chunkTooLargeText"));
  if (isTimeout(error)) return errorToast(t("uploadTimeout"), t("uploadTimeoutText"));
  if (isNetworkError(error)) return errorToast(t("networkError"), t("networkErrorText"));
  if (transport === "direct") return errorToast(t("storageError"), t("storageErrorText"));
  return errorToast(t("uploadFailed"), messageFor(error, t, t("uploadError")));
}

export function describeOverMaximum(t: UploadsTranslate): Toast {
  const size = formatBytes(LARGEST_FILE_BYTES, t.locale);
  return errorToast(t("fileTooLarge"), t("overMaximum", { size }));
}

export function requiresAuth(error: unknown): boolean {
  return statusOf(error) === 401;
}

function isTimeout(error: unknown): boolean {
  if (error instanceof TransportError) return error.failure === "timeout";
  const cause = rootCause(error);
  return cause instanceof ApiError && TIMEOUT_STATUSES.includes(cause.status);
}

function isNetworkError(error: unknown): boolean {
  if (error instanceof TransportError) return error.failure === "network";
  return rootCause(error) instanceof TypeError;
}

/** Whether a larger plan may allow what the server refused. */
export function isPlanLimit(error: unknown): boolean {
  return error instanceof ApiError && error.body.code === PLAN_LIMIT;
}

export function messageFor(error: unknown, t: UploadsTranslate, fallback: string): string {
  return error instanceof UploadError ? textOf(error.problem, t) || fallback : messageOf(error, fallback);
}

function textOf(problem: UploadProblem, t: UploadsTranslate): string {
  if ("message" in problem) return problem.message;
  // A problem has the numbers that the message of its code needs.
  return t(problem.code, problem as typeof problem & ValuesOf<"uploads", typeof problem.code>);
}

function statusOf(error: unknown): number | null {
  const cause = rootCause(error);
  return cause instanceof ApiError || cause instanceof TransportError ? cause.status : null;
}

function errorToast(title: string, description: string): Toast {
  return { title, description, tone: "bad" };
}
