import type { SeenUploadRequest } from "#domain/wire.ts";

/** A request that accepts files from this page. */
export interface UnlockedRequest {
  request: SeenUploadRequest;
  /** The grant for a request with a password. Null for a request without a password. */
  grant: string | null;
}

/** The header of calls to a request with a password. @param grant null for a request without a password */
export function grantHeader(grant: string | null): Record<string, string> {
  return grant === null ? {} : { authorization: `Bearer ${grant}` };
}
