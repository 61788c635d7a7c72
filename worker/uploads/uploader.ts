import { parse } from "hono/utils/cookie";
import type { PlanId } from "#domain/plans.ts";
import { hashToken } from "../accounts/tokens.ts";
import { addressOf, type RequestContext } from "../context.ts";
import type { FileRow } from "../db/files.ts";
import { userAgentOf } from "../user-agent.ts";

/** A visitor's upload token (decision 011). */
export const UPLOAD_TOKEN_COOKIE = "mayfly.upload_token";

const TOKEN_BYTES = 32;

/** An account, or, with `ANONYMOUS_UPLOADS` on, a visitor with an upload token (decision 011). */
export interface Uploader {
  userId: string | null;
  plan: PlanId;
  /** SHA-256 of a visitor's token; null for an account. */
  tokenHash: string | null;
  /** What a program calls with; null for a person. */
  apiKey: UploaderKey | null;
  address: string;
  userAgent: string | null;
}

interface UploaderKey {
  id: string;
  /** Null for the plan's own limit. */
  largestFileBytes: number | null;
}

/** Who may change a file: its account, or the visitor with its upload token. */
export type FileOwner = Pick<Uploader, "userId" | "tokenHash" | "plan">;

/** A key that uploads has what it started itself, and nothing else of its account. */
type Owner = Pick<Uploader, "userId" | "tokenHash"> & Partial<Pick<Uploader, "apiKey">>;

export function owns({ userId, tokenHash, apiKey }: Owner, file: FileRow): boolean {
  if (apiKey && file.apiKeyId !== apiKey.id) return false;
  if (file.userId !== null) return file.userId === userId;
  return file.uploadTokenHash !== null && file.uploadTokenHash === tokenHash;
}

export function newUploadToken(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(TOKEN_BYTES))));
}

export function uploadTokenOf({ headers }: Request): string | null {
  return parse(headers.get("cookie") ?? "", UPLOAD_TOKEN_COOKIE)[UPLOAD_TOKEN_COOKIE] ?? null;
}

/** @returns null for a visitor without a token, or if visitors may not upload */
export async function findUploader(
  { currentUser, request, services }: RequestContext,
  token = uploadTokenOf(request),
): Promise<Uploader | null> {
  const caller = { address: addressOf(request), userAgent: userAgentOf(request.headers), apiKey: null };
  const user = await currentUser();
  if (user) return { ...caller, userId: user.id, plan: user.planType, tokenHash: null };
  if (!services.settings.anonymousUploads || token === null) return null;
  return { ...caller, userId: null, plan: "free", tokenHash: await hashToken(token) };
}
