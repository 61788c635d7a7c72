import { parse } from "hono/utils/cookie";
import { AppError } from "#domain/errors.ts";
import {
  leaseCookie,
  LEASE_COOKIE_SECONDS,
  issueLease,
  nameClient,
  newLeaseId,
  readLease,
} from "#domain/protection/tokens.ts";
import { HEADER_NAMES } from "#domain/header-names.ts";
import { callerNetwork } from "#domain/ip-address.ts";
import { MINUTE_MS, SECOND_MS } from "#domain/units.ts";
import type { DownloadGate, LimitedLink } from "#durable-objects/gate/download-gate.ts";
import type { TakeRefusal } from "#durable-objects/gate/state.ts";
import { ipOf, type RequestContext } from "../context.ts";
import type { FileRow } from "../db/files.ts";
import { usedUpError } from "../errors/link-errors.ts";
import { localizedError } from "../errors/translate-error.ts";
import { logError, logWarning } from "../log.ts";
import type { Services } from "../services.ts";
import { userAgentOf } from "../user-agent.ts";

type GateCall = "take" | "open" | "holds" | "opened" | "renew" | "ended" | "setLimit" | "forget" | "letGoOn" | "status";

/** The gate's methods as callers see them, because Cloudflare's own RPC types would turn tuples into arrays. */
export type Gate = {
  [Call in GateCall]: (...args: Parameters<DownloadGate[Call]>) => Promise<Awaited<ReturnType<DownloadGate[Call]>>>;
};

/** @param downloadId a download id from D1 or a signed lease, because every guessed id would create a Durable Object */
function gateOf({ gates }: Services, downloadId: string): Gate {
  return gates.get(gates.idFromName(downloadId));
}

/** Calls the gate, once more after a failure, because every call is idempotent. @throws AppError GATE_UNAVAILABLE */
export async function askGate<Answer>(
  services: Services,
  downloadId: string,
  ask: (gate: Gate) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask(gateOf(services, downloadId));
  } catch (error) {
    logWarning("gate.asked_again", { error: error instanceof Error ? error.message : typeof error });
  }
  try {
    return await ask(gateOf(services, downloadId));
  } catch (error) {
    logError("gate.unreachable", error);
    throw new AppError("GATE_UNAVAILABLE");
  }
}

/** The lease in a token that we signed. Only the gate knows whether the lease is still valid. */
export interface FoundLease {
  id: string;
  /** Whether the lease came as `?take=` in the URL of a program's redirect. Such a lease begins with the first byte. */
  mayBegin: boolean;
}

/** @returns the request's lease of this link; null if the request has no token that we signed */
export async function findLease({ services, request }: RequestContext, downloadId: string): Promise<FoundLease | null> {
  const { name } = leaseCookie(downloadId);
  const query = new URL(request.url).searchParams;
  const tokens = [
    { token: request.headers.get(HEADER_NAMES.lease), mayBegin: false },
    { token: query.get("lease"), mayBegin: false },
    { token: query.get("take"), mayBegin: true },
    { token: parse(request.headers.get("cookie") ?? "", name)[name], mayBegin: false },
  ];
  const keys = await services.linkTokenKeys();
  for (const { token, mayBegin } of tokens) {
    const id = typeof token === "string" ? await readLease(keys, downloadId, token) : null;
    if (id !== null) return { id, mayBegin };
  }
  return null;
}

/**
 * A lease for `?take=`, which begins with the first byte. A program that has not finished its download gets its lease
 * again.
 */
export async function issueProgramLease({ services, request }: RequestContext, downloadId: string): Promise<string> {
  const keys = await services.linkTokenKeys();
  const network = callerNetwork(ipOf(request));
  const client = await nameClient(keys, downloadId, { network, userAgent: userAgentOf(request.headers) ?? "" });
  return issueLease(keys, downloadId, newLeaseId(client));
}

/** The facts about a limited link that its gate needs. @throws Error for a link without a limit */
export function limitedLinkOf({ id: fileId, size: sizeBytes, maxDownloads: limit, ...file }: FileRow): LimitedLink {
  if (limit === null) throw new Error("a link without a limit has no gate");
  return { fileId, sizeBytes, limit, used: file.downloadsUsed, expiresAt: file.expiresAt?.getTime() ?? null };
}

/** The error that tells why the gate gave no lease. @param now epoch milliseconds */
export function refusedLease(refusal: TakeRefusal, { limit }: LimitedLink, now: number): AppError {
  if (refusal.code !== "DOWNLOADS_BUSY") {
    return refusal.code === "DOWNLOADS_USED_UP" ? usedUpError(limit) : new AppError("ATTEMPTS_USED_UP");
  }
  const waitMs = Math.max(SECOND_MS, refusal.freeAt - now);
  return localizedError(
    "DOWNLOADS_BUSY",
    "downloadsBusy",
    { count: Math.ceil(waitMs / MINUTE_MS) },
    { freeAt: new Date(refusal.freeAt).toISOString(), retryAfterSeconds: Math.ceil(waitMs / SECOND_MS) },
  );
}

/** Signs a lease, and sets its cookies. @returns the token */
export async function giveLease(
  { services, setCookie }: RequestContext,
  downloadId: string,
  lease: string,
): Promise<string> {
  const token = await issueLease(await services.linkTokenKeys(), downloadId, lease);
  const { name, paths } = leaseCookie(downloadId);
  for (const path of paths) setCookie({ name, value: token, path, maxAgeSeconds: LEASE_COOKIE_SECONDS });
  return token;
}
