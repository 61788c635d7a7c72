const USER_AGENT_MAX_LENGTH = 500;

export function truncateUserAgent(userAgent: string): string {
  return userAgent.slice(0, USER_AGENT_MAX_LENGTH);
}

export function userAgentOf(headers: Headers): string | null {
  const userAgent = headers.get("user-agent");
  return userAgent === null ? null : truncateUserAgent(userAgent);
}
