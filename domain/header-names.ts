/** Part of `/api/v1`: it stays when the product gets another name. */
export const HEADER_PREFIX = "Mayfly-";

/** The headers that we define, as documents write them. HTTP compares names without regard to case. */
export const HEADER_NAMES = {
  /** Choices of who sends a file in one request. */
  expires: `${HEADER_PREFIX}Expires`,
  password: `${HEADER_PREFIX}Password`,
  downloads: `${HEADER_PREFIX}Downloads`,
  name: `${HEADER_PREFIX}Name`,
  to: `${HEADER_PREFIX}To`,
  notify: `${HEADER_PREFIX}Notify`,
  /** What recipients open. */
  link: `${HEADER_PREFIX}Link`,
  /** One counted download of a program, which sends no cookie. */
  lease: `${HEADER_PREFIX}Lease`,
  /** What a sender through an upload request goes on with. */
  uploadToken: `${HEADER_PREFIX}Upload-Token`,
  /** A version of the command line: in a request that of the program, in its answer the newest one. */
  cli: `${HEADER_PREFIX}Cli`,
} as const;
