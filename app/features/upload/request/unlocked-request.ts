import type { SeenUploadRequest } from "#domain/wire.ts";

/** A request that may be sent into. */
export interface UnlockedRequest {
  request: SeenUploadRequest;
  /** Says that the password was right. Null for a request without one. */
  grant: string | null;
}

/** For calls about a request with a password. @param grant null for a request without one */
export function grantHeader(grant: string | null): Record<string, string> {
  return grant === null ? {} : { authorization: `Bearer ${grant}` };
}
