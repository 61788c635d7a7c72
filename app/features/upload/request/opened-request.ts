import type { SeenUploadRequest } from "#domain/wire.ts";

/** A request that may be sent into. */
export interface OpenedRequest {
  request: SeenUploadRequest;
  /** Says that the password was right. Null for a request without one. */
  grant: string | null;
}
