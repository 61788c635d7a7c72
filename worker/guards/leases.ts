import { parse } from "hono/utils/cookie";
import { AppError } from "#domain/errors.ts";
import { leaseCookie, LEASE_COOKIE_SECONDS } from "#domain/guards/cookies.ts";
import { issueLease, readLease } from "#domain/guards/tokens.ts";
import { HEADER_NAMES } from "#domain/header-names.ts";
import type { DownloadGate } from "#durable-objects/download-gate.ts";
import type { RequestContext } from "../context.ts";
import { logError, logWarning } from "../log.ts";
import type { Services } from "../services.ts";

type GateCall = "take" | "open" | "opened" | "renew" | "ended" | "setLimit" | "forget" | "letGoOn" | "status";

/** The gate's methods as callers see them: Cloudflare's own RPC types would turn tuples into arrays. */
export type Gate = {
  [Call in GateCall]: (...args: Parameters<DownloadGate[Call]>) => Promise<Awaited<ReturnType<DownloadGate[Call]>>>;
};

/** @param downloadId of a link that D1 knows, or that a signed lease names: a guessed one would create an object */
function gateOf({ gates }: Services, downloadId: string): Gate {
  return gates.get(gates.idFromName(downloadId));
}

/** Asks again once: every call may come twice. @throws AppError GATE_UNAVAILABLE */
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

/** @returns the id of the request's lease of this link; null without one that we signed. The gate knows if it lives. */
export async function findLease({ services, request }: RequestContext, downloadId: string): Promise<string | null> {
  const { name } = leaseCookie(downloadId);
  const tokens = [
    request.headers.get(HEADER_NAMES.lease),
    new URL(request.url).searchParams.get("lease"),
    parse(request.headers.get("cookie") ?? "", name)[name],
  ];
  const keys = await services.guardKeys();
  for (const token of tokens) {
    const lease = typeof token === "string" ? await readLease(keys, downloadId, token) : null;
    if (lease !== null) return lease;
  }
  return null;
}

/** Also sets the cookies. @returns the token */
export async function giveLease(
  { services, setCookie }: RequestContext,
  downloadId: string,
  lease: string,
): Promise<string> {
  const token = await issueLease(await services.guardKeys(), downloadId, lease);
  const { name, paths } = leaseCookie(downloadId);
  for (const path of paths) setCookie({ name, value: token, path, maxAgeSeconds: LEASE_COOKIE_SECONDS });
  return token;
}
