import type { Context } from "hono";
import { setCookie } from "hono/cookie";
import { parse } from "hono/utils/cookie";
import { AppError } from "#domain/errors.ts";
import { HEADER_NAMES } from "#domain/header-names.ts";
import { FIRST_SHARD, newRowId, shardOfRowId } from "#domain/ids.ts";
import { callerNetwork } from "#domain/ip-address.ts";
import type { PlanId } from "#domain/plans.ts";
import { SECOND_MS } from "#domain/units.ts";
import { VISITOR_TOKEN_TTL_MS } from "#domain/upload-lifetime.ts";
import type { CurrentUser } from "#domain/wire.ts";
import type { AppEnv } from "../app-env.ts";
import { ipOf, type RequestContext } from "../context.ts";
import type { FileRow, OwnerKey } from "../db/files.ts";
import type { AuditCaller } from "../db/upload-audit.ts";
import { findSender } from "../db/upload-requests.ts";
import { planOfRow } from "../db/users.ts";
import { hashToken } from "../tokens.ts";
import { userAgentOf } from "../user-agent.ts";

/** A visitor's upload token (decision 011). */
const UPLOAD_TOKEN_COOKIE = "mayfly.upload_token";

const TOKEN_BYTES = 32;

interface ByAccount {
  kind: "account";
  userId: string;
  plan: PlanId;
}

/** A program with a key of an account. */
export interface ByKey {
  kind: "key";
  userId: string;
  plan: PlanId;
  key: {
    id: string;
    /** Null for the plan's own limit. */
    largestFileBytes: number | null;
  };
}

/** A stranger who sends into an account through an upload request (decision 044). */
export interface BySender {
  kind: "sender";
  /** The owner of the upload request, whose quota and plan apply to the sender's uploads. */
  userId: string;
  plan: PlanId;
  /** SHA-256 of the sender's token. Null for an upload by tus, because its address has a secret of its own. */
  tokenHash: string | null;
  request: CallerRequest;
}

export interface CallerRequest {
  id: string;
  /** The largest file that the upload request takes, in bytes. Null for the plan's own limit. */
  mostFileBytes: number | null;
  /** The endings of file names that the upload request takes. Null if it takes any. */
  kinds: string[] | null;
  network: string;
  /** The name, address and note that the sender gives. Null once the upload has started. */
  sender: { name: string | null; email: string | null; note: string | null } | null;
}

/** A visitor with an upload token. Visitors may upload if `ANONYMOUS_UPLOADS` is on (decision 011). */
interface ByVisitor {
  kind: "visitor";
  plan: PlanId;
  /** SHA-256 of the token. */
  tokenHash: string;
}

/** The uploading account, key, sender or visitor, with IP address and browser. */
export type Caller = (ByAccount | ByKey | BySender | ByVisitor) & AuditCaller;

/** Who may change a file: its account, the key that started it, or the visitor with its upload token. */
export type FileOwner = ByAccount | ByKey | ByVisitor;

/** The caller for a signed-in person, or for a key with access to the whole account. */
export function accountOf({ id, planType }: CurrentUser): ByAccount {
  return { kind: "account", userId: id, plan: planType };
}

/**
 * The user whose quota an upload uses; for a sender, the owner of the upload request.
 * @returns null for a visitor, who has no quota
 */
export function quotaHolderOf(caller: FileOwner | BySender): string | null {
  return caller.kind === "visitor" ? null : caller.userId;
}

/** @returns the id of a new file, in the shard of the account whose quota the file uses */
export function newFileId(caller: FileOwner | BySender): string {
  const holder = quotaHolderOf(caller);
  return newRowId(holder === null ? FIRST_SHARD : shardOfRowId(holder));
}

export function keyIdOf(caller: FileOwner | BySender): string | null {
  return caller.kind === "key" ? caller.key.id : null;
}

/**
 * The owner in an SQL statement about one file. The statement cannot tell a key or a sender from the account, so check
 * `owns` first.
 */
export function ownerKeyOf(caller: FileOwner | BySender): OwnerKey {
  return { userId: quotaHolderOf(caller), tokenHash: caller.kind === "visitor" ? caller.tokenHash : null };
}

/**
 * Whether a caller owns a file. A key owns the files that it has started, and a sender the one transfer of their token.
 */
export function owns(caller: FileOwner | BySender, file: FileRow): boolean {
  switch (caller.kind) {
    case "account":
      return file.userId === caller.userId;
    case "key":
      return file.userId === caller.userId && file.apiKeyId === caller.key.id;
    case "sender":
      return file.fileRequestId === caller.request.id && file.uploadTokenHash === caller.tokenHash;
    case "visitor":
      return file.userId === null && file.uploadTokenHash === caller.tokenHash;
  }
}

export function newUploadToken(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(TOKEN_BYTES))));
}

function uploadTokenOf({ headers }: Request): string | null {
  return parse(headers.get("cookie") ?? "", UPLOAD_TOKEN_COOKIE)[UPLOAD_TOKEN_COOKIE] ?? null;
}

/**
 * Finds the caller of a request. A sender's token counts before all cookies, so that a signed-in person can also send
 * as a stranger. @returns null for a visitor or a sender without a valid token, or if visitors may not upload
 */
export async function findCaller(
  { currentUser, request, services }: RequestContext,
  token = uploadTokenOf(request),
): Promise<Exclude<Caller, ByKey> | null> {
  const from = { ip: ipOf(request), userAgent: userAgentOf(request.headers) };
  const senderToken = request.headers.get(HEADER_NAMES.uploadToken);
  if (senderToken !== null) {
    const tokenHash = await hashToken(senderToken);
    const sender = await findSender(services.db, tokenHash);
    if (!sender) return null;
    const { userId, fileRequestId: id, mostFileBytes, kinds, planType } = sender;
    const into = { id, mostFileBytes, kinds, network: callerNetwork(from.ip), sender: null };
    const plan = planOfRow({ id: userId, planType });
    return { kind: "sender", userId, plan, tokenHash, request: into, ...from };
  }
  const user = await currentUser();
  if (user) return { ...accountOf(user), ...from };
  if (!services.settings.anonymousUploads || token === null) return null;
  return { kind: "visitor", plan: "free", tokenHash: await hashToken(token), ...from };
}

/**
 * Finds the caller of a request. Sets or renews a visitor's token cookie if visitors may upload.
 * @throws AppError UNAUTHORIZED with `requiresAuth`
 */
export async function requireCaller(c: Context<AppEnv>): Promise<Caller> {
  const token = uploadTokenOf(c.req.raw) ?? newUploadToken();
  const caller = await findCaller(c.get("context"), token);
  if (!caller) throw new AppError("UNAUTHORIZED", { requiresAuth: true });
  if (caller.kind === "visitor") setToken(c, token);
  return caller;
}

/**
 * Finds the caller of a call that starts an upload. Refuses a sender into an upload request, because senders start
 * uploads with a call of their own.
 * @throws as `requireCaller`
 */
export async function requireStarter(c: Context<AppEnv>): Promise<Caller> {
  const caller = await requireCaller(c);
  if (caller.kind === "sender") throw new AppError("UNAUTHORIZED", { requiresAuth: true });
  return caller;
}

/**
 * Finds the signed-in person, or the visitor with an upload token, who makes a request.
 * @throws AppError UNAUTHORIZED with `requiresAuth`
 */
export async function requireOwner(c: Context<AppEnv>): Promise<FileOwner> {
  const owner = await findCaller(c.get("context"));
  // The files that a sender sends belong to the owner of the upload request.
  if (!owner || owner.kind === "sender") throw new AppError("UNAUTHORIZED", { requiresAuth: true });
  return owner;
}

function setToken(c: Context<AppEnv>, token: string): void {
  setCookie(c, UPLOAD_TOKEN_COOKIE, token, {
    httpOnly: true,
    sameSite: "Lax",
    secure: c.get("context").services.settings.origin.startsWith("https:"),
    path: "/",
    maxAge: VISITOR_TOKEN_TTL_MS / SECOND_MS,
  });
}
