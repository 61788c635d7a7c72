import { ApiError } from "#app/api.ts";
import { messageOf } from "#app/forms.ts";
import type { Toast } from "#app/components/ui/toast.tsx";
import type { Translate } from "#messages/translate.ts";
import { ChunkError, PutError, UploadError } from "./failures.ts";
import { causeOf } from "./step.ts";

type Say = Translate<"uploads">;

/** The home card's catalogue (specification 1 section 8). */
export function describeOnHome(error: unknown, say: Say): Toast {
  const message = said(error, say, say("uploadFailed"));
  if (error instanceof ApiError && error.body.planLimitExceeded === true) {
    return {
      ...bad(say("storageLimitExceeded"), say("storageLimitText", { message })),
      action: { label: say("seePlans"), to: "/pricing" },
    };
  }
  if (statusOf(error) === 413 || message.includes("too large")) return bad(say("fileTooLarge"), message);
  return bad(say("uploadFailed"), message);
}

/** The catalogue of the chunked and the direct upload page (specification 2 section 8). */
export function describeOnUploadPage(error: unknown, say: Say): Toast {
  const message = said(error, say, say("uploadError"));
  if (error instanceof ChunkError && error.kind === "too-large") {
    return bad(say("chunkTooLarge"), say("chunkTooLargeText"));
  }
  // A gateway that gave up waiting for us says so in its own words.
  if (kindOf(error) === "timeout" || /time(d )?out|ETIMEDOUT/i.test(said(causeOf(error), say, ""))) {
    return bad(say("uploadTimeout"), say("uploadTimeoutText"));
  }
  if (kindOf(error) === "network" || causeOf(error) instanceof TypeError) {
    return bad(say("networkError"), say("networkErrorText"));
  }
  if (error instanceof PutError && /S3|Access Denied/.test(message)) {
    return bad(say("storageError"), say("storageErrorText"));
  }
  return bad(say("uploadFailed"), message);
}

/** Whether whoever uploads has to sign in first: their session has ended. */
export function requiresAuth(error: unknown): boolean {
  return statusOf(error) === 401 || (error instanceof ApiError && error.body.requiresAuth === true);
}

/** What an error says of itself, or the fallback. */
function said(error: unknown, say: Say, fallback: string): string {
  return error instanceof UploadError ? error.words(say) || fallback : messageOf(error, fallback);
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
