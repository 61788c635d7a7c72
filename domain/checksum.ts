/** Who may have worked out a file's checksum: our own code as the bytes passed, or the sender's browser. */
export const CHECKSUM_SOURCES = ["server", "browser"] as const;
export type ChecksumSource = (typeof CHECKSUM_SOURCES)[number];

/** A file's SHA-256 in hex, and who worked it out. */
export interface Checksum {
  sha256: string;
  source: ChecksumSource;
}
