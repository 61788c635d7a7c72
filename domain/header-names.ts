/** The start of our headers' names. `/api/v1` depends on this prefix, so it stays even if the product is renamed. */
export const HEADER_PREFIX = "Mayfly-";

/** The headers that we define, as documents write them. HTTP compares names without regard to case. */
export const HEADER_NAMES = {
  /** Choices of a program that sends a file in one request. */
  expires: `${HEADER_PREFIX}Expires`,
  expiresAt: `${HEADER_PREFIX}Expires-At`,
  password: `${HEADER_PREFIX}Password`,
  downloads: `${HEADER_PREFIX}Downloads`,
  name: `${HEADER_PREFIX}Name`,
  to: `${HEADER_PREFIX}To`,
  notify: `${HEADER_PREFIX}Notify`,
  link: `${HEADER_PREFIX}Link`,
  /** The lease of a download from a link with a download limit, for programs, which send no cookie. */
  lease: `${HEADER_PREFIX}Lease`,
  /** The token with which a sender through an upload request continues the upload. */
  uploadToken: `${HEADER_PREFIX}Upload-Token`,
  /** The token of the page /human-check, where a deployment uses Turnstile. */
  human: `${HEADER_PREFIX}Human`,
  /** A version of the command line: in a request the program's version, in a response the newest version. */
  cli: `${HEADER_PREFIX}Cli`,
} as const;
