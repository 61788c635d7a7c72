/** Who computed a file's checksum: the Worker while the bytes passed through it, or the sender's browser. */
export const CHECKSUM_SOURCES = ["server", "browser"] as const;
export type ChecksumSource = (typeof CHECKSUM_SOURCES)[number];

export interface Checksum {
  sha256: string;
  source: ChecksumSource;
}
