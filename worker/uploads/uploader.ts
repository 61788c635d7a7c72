import type { PlanId } from "#domain/plans.ts";
import type { FileRow } from "../db/files.ts";

/** An account, or, with `ANONYMOUS_UPLOADS` on, a visitor with an upload token (decision 011). */
export interface Uploader {
  userId: string | null;
  plan: PlanId;
  /** SHA-256 of a visitor's token; null for an account. */
  tokenHash: string | null;
  address: string;
  userAgent: string | null;
}

/** Who may change a file: its account, or the visitor with its upload token. */
export type FileOwner = Pick<Uploader, "userId" | "tokenHash" | "plan">;

export function owns({ userId, tokenHash }: Pick<Uploader, "userId" | "tokenHash">, file: FileRow): boolean {
  if (file.userId !== null) return file.userId === userId;
  return file.uploadTokenHash !== null && file.uploadTokenHash === tokenHash;
}
