import { ApiError } from "#app/lib/api.ts";
import { messageOf } from "#app/lib/form-errors.ts";
import type { Toast } from "#app/ui/toast.tsx";
import type { Translate } from "#messages/translate.ts";
import { ChunkError, PutError, UploadError } from "./engine/errors.ts";
import { causeOf } from "./engine/upload-step.ts";

type Say = Translate<"uploads">;

/** The home card's catalogue (specification 1 section 8). */
export function describeOnHome(error: unknown, t: Say): Toast {
  const message = said(error, t, t("uploadFailed"));
  if (error instanceof ApiError && error.body.planLimitExceeded === true) {
    return {
      ...bad(t("storageLimitExceeded"), t("storageLimitText", { message })),
      action: { label: t("seePlans"), to: "/pricing" },
    };
  }
  if (statusOf(error) === 413 || message.includes("too large")) return bad(t("fileTooLarge"), message);
  return bad(t("uploadFailed"), message);
}

/** The catalogue of the chunked and the direct upload page (specification 2 section 8). */
export function describeOnUploadPage(error: unknown, t: Say): Toast {
  const message = said(error, t, t("uploadError"));
  if (error instanceof ChunkError && error.kind === "too-large") {
    return bad(t("chunkTooLarge"), t("chunkTooLargeText"));
  }
  // A gateway that gave up waiting for us says so in its own words.
  if (kindOf(error) === "timeout" || /time(d )?out|ETIMEDOUT/i.test(said(causeOf(error), t, ""))) {
    return bad(t("uploadTimeout"), t("uploadTimeoutText"));
  }
  if (kindOf(error) === "network" || causeOf(error) instanceof TypeError) {
    return bad(t("networkError"), t("networkErrorText"));
  }
  if (error instanceof PutError && /S3|Access Denied/.test(message)) {
    return bad(t("storageError"), t("storageErrorText"));
  }
  return bad(t("uploadFailed"), message);
}

/** Whether whoever uploads has to sign in first: their session has ended. */
export function requiresAuth(error: unknown): boolean {
  return statusOf(error) === 401 || (error instanceof ApiError && error.body.requiresAuth === true);
}

/** What an error says of itself, or the fallback. */
function said(error: unknown, t: Say, fallback: string): string {
  return error instanceof UploadError ? error.words(t) || fallback : messageOf(error, fallback);
}

function kindOf(error: unknown): string | null {
  return error instanceof ChunkError || error instanceof PutError ? error.kind : null;
}

function statusOf(error: unknown): number | null {
  const cause = causeOf(error);
  const answered = cause instanceof ApiError || cause instanceof PutError || cause instanceof ChunkError;
  return answered ? cause.status : null;
}

function bad(title: string, description: string): Toast {
  return { title, description, tone: "bad" };
}
