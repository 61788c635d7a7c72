import { ApiError } from "#app/api.ts";
import { messageOf } from "#app/forms.ts";
import type { Toast } from "#app/components/ui/toast.tsx";
import { ChunkError, PutError } from "./failures.ts";
import { causeOf } from "./step.ts";

/** The home card's catalogue (specification 1 section 8). */
export function describeOnHome(error: unknown): Toast {
  const message = messageOf(error, "Upload failed");
  if (error instanceof ApiError && error.body.planLimitExceeded === true) {
    return {
      ...bad("Storage limit exceeded", `This file exceeds your plan's storage limit. ${message}`),
      action: { label: "See the plans", to: "/pricing" },
    };
  }
  if (statusOf(error) === 413 || message.includes("too large")) return bad("File too large", message);
  return bad("Upload failed", message);
}

/** The catalogue of the chunked and the direct upload page (specification 2 section 8). */
export function describeOnUploadPage(error: unknown): Toast {
  const message = messageOf(error, "There was an error uploading your file.");
  if (error instanceof ChunkError && error.kind === "too-large") {
    return bad(
      "Chunk size too large",
      "The server rejected the upload due to chunk size limits. We're reducing the chunk size automatically for you. Please try again.",
    );
  }
  // A gateway that gave up waiting for us says so in its own words.
  if (kindOf(error) === "timeout" || /time(d )?out|ETIMEDOUT/i.test(messageOf(causeOf(error), ""))) {
    return bad("Upload timeout", "The upload timed out. Try using a smaller file or check your internet connection.");
  }
  if (kindOf(error) === "network" || causeOf(error) instanceof TypeError) {
    return bad(
      "Network error",
      "There was a problem with your network connection. Please check your internet and try again.",
    );
  }
  if (error instanceof PutError && /S3|Access Denied/.test(message)) {
    return bad("S3 upload error", "There was a problem with the S3 storage service. Please try again later.");
  }
  return bad("Upload failed", message);
}

/** Whether whoever uploads has to sign in first: their session has ended. */
export function requiresAuth(error: unknown): boolean {
  return statusOf(error) === 401 || (error instanceof ApiError && error.body.requiresAuth === true);
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
