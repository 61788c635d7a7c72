/** For calls about a request with a password. @param grant null for a request without one */
export function grantHeader(grant: string | null): Record<string, string> {
  return grant === null ? {} : { authorization: `Bearer ${grant}` };
}
