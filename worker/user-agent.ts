/** A user agent is kept up to this many characters; browsers send a third of it. */
const USER_AGENT_MAX_LENGTH = 500;

/** Cuts a user agent to what a row may hold. */
export function truncateUserAgent(userAgent: string): string {
  return userAgent.slice(0, USER_AGENT_MAX_LENGTH);
}

/** The caller's user agent, cut; null where none was sent. */
export function userAgentOf(headers: Headers): string | null {
  const userAgent = headers.get("user-agent");
  return userAgent === null ? null : truncateUserAgent(userAgent);
}
