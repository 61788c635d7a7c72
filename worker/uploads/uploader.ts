import type { PlanId } from "#domain/plans.ts";
import type { FileRow } from "../db/files.ts";

/** Who uploads: a person with an account, or, where that is allowed, a visitor whose browser holds a token. */
export interface Uploader {
  userId: string | null;
  plan: PlanId;
  /** SHA-256 of the visitor's token; null for a person with an account. */
  tokenHash: string | null;
  address: string;
  userAgent: string | null;
}

/** Whether that upload is theirs. */
export function owns({ userId, tokenHash }: Uploader, file: FileRow): boolean {
  if (file.userId !== null) return file.userId === userId;
  return file.uploadTokenHash !== null && file.uploadTokenHash === tokenHash;
}
