import { ApiError } from "#app/api.ts";
import { messageOf } from "#app/forms.ts";
import type { Toast } from "#app/components/ui/toast.tsx";
import { ChunkError } from "./post-chunk.ts";
import { PutError } from "./put.ts";

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
  if (/timed? ?out|ETIMEDOUT/i.test(message)) {
    return bad("Upload timeout", "The upload timed out. Try using a smaller file or check your internet connection.");
  }
  if (error instanceof TypeError || statusOf(error) === 0 || /network error|failed to fetch/i.test(message)) {
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

function statusOf(error: unknown): number | null {
  return error instanceof ApiError || error instanceof PutError ? error.status : null;
}

function bad(title: string, description: string): Toast {
  return { title, description, tone: "bad" };
}
