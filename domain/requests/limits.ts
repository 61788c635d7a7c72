/** How long an upload request is open, shortest first. */
export const REQUEST_LIFETIMES = ["1d", "7d", "30d", "1y", "never"] as const;
export type RequestLifetime = (typeof REQUEST_LIFETIMES)[number];
export const DEFAULT_REQUEST_LIFETIME: RequestLifetime = "7d";

export const REQUEST_TITLE_MAX_LENGTH = 120;
/** The length of the owner's note, and of the sender's note. */
export const REQUEST_NOTE_MAX_LENGTH = 2000;
export const SENDER_NAME_MAX_LENGTH = 100;
export const MOST_KINDS = 20;
export const MOST_ORIGINS = 10;

/** The number of transfers that one network may start through requests in an hour. */
export const STARTS_PER_HOUR = 20;
/** The most unfinished transfers of one request: from one network, and in all. */
export const UNFINISHED_PER_SENDER = 10;
export const UNFINISHED_PER_REQUEST = 50;

/** An ending of file names, in lower case and without the dot: `pdf`, `tar.gz`. */
export const KIND_PATTERN = /^[a-z0-9]+(?:\.[a-z0-9]+)*$/;
export const KIND_MAX_LENGTH = 16;

/** Whether a request accepts files of this name. @param path with folders @param kinds endings; null for any ending */
export function isWantedKind(path: string, kinds: readonly string[] | null): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return kinds === null || kinds.some((kind) => name.endsWith(`.${kind}`));
}
