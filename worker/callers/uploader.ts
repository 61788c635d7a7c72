import { parse } from "hono/utils/cookie";
import { callerNetwork } from "#domain/ip-address.ts";
import type { PlanId } from "#domain/plans.ts";
import { HEADER_NAMES } from "#domain/header-names.ts";
import { planOfRow } from "../db/users.ts";
import { hashToken } from "../tokens.ts";
import { addressOf, type RequestContext } from "../context.ts";
import type { FileRow } from "../db/files.ts";
import { findSender } from "../db/upload-requests.ts";
import { userAgentOf } from "../user-agent.ts";

/** A visitor's upload token (decision 011). */
export const UPLOAD_TOKEN_COOKIE = "mayfly.upload_token";

const TOKEN_BYTES = 32;

/**
 * An account, a stranger who sends into one through an upload request (decision 044), or, with `ANONYMOUS_UPLOADS` on, a
 * visitor with an upload token (decision 011).
 */
export interface Uploader {
  /** Of a sender: the owner of the request, whose quota it is. */
  userId: string | null;
  plan: PlanId;
  /** SHA-256 of a visitor's or a sender's token; null for an account. */
  tokenHash: string | null;
  /** What a program calls with; null for a person. */
  apiKey: UploaderKey | null;
  /** Through which a sender sends; null for everybody else. */
  request: UploaderRequest | null;
  address: string;
  userAgent: string | null;
}

interface UploaderKey {
  id: string;
  /** Null for the plan's own limit. */
  largestFileBytes: number | null;
}

export interface UploaderRequest {
  id: string;
  /** Of one file, in bytes. Null for the plan's own limit. */
  mostFileBytes: number | null;
  /** Endings of file names. Null for any. */
  kinds: string[] | null;
  network: string;
  /** What the sender says of themselves. Null after the start. */
  sender: { name: string | null; email: string | null; note: string | null } | null;
}

/** Who may change a file: its account, or the visitor with its upload token. */
export type FileOwner = Pick<Uploader, "userId" | "tokenHash" | "plan">;

/** A key that uploads has what it started itself, and nothing else of its account. */
type Owner = Pick<Uploader, "userId" | "tokenHash"> & Partial<Pick<Uploader, "apiKey" | "request">>;

/** A sender has the one transfer that their token was made for. */
export function owns({ userId, tokenHash, apiKey, request }: Owner, file: FileRow): boolean {
  if (request) return file.requestId === request.id && file.uploadTokenHash === tokenHash;
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

/**
 * A sender's token counts before every cookie, so that somebody who is signed in sends as a stranger, too.
 * @returns null for a visitor or a sender without a valid token, or if visitors may not upload
 */
export async function findUploader(
  { currentUser, request, services }: RequestContext,
  token = uploadTokenOf(request),
): Promise<Uploader | null> {
  const caller = { address: addressOf(request), userAgent: userAgentOf(request.headers), apiKey: null, request: null };
  const senderToken = request.headers.get(HEADER_NAMES.uploadToken);
  if (senderToken !== null) {
    const tokenHash = await hashToken(senderToken);
    const sender = await findSender(services.db, tokenHash);
    if (!sender) return null;
    const { userId, requestId: id, mostFileBytes, kinds, planType } = sender;
    const network = callerNetwork(caller.address);
    const plan = planOfRow({ id: userId, planType });
    return { ...caller, userId, plan, tokenHash, request: { id, mostFileBytes, kinds, network, sender: null } };
  }
  const user = await currentUser();
  if (user) return { ...caller, userId: user.id, plan: user.planType, tokenHash: null };
  if (!services.settings.anonymousUploads || token === null) return null;
  return { ...caller, userId: null, plan: "free", tokenHash: await hashToken(token) };
}
