import { parse } from "hono/utils/cookie";
import { normalizeLinkPassword } from "#domain/protection/link-protection.ts";
import { grantCookie, GRANT_MAX_MS, GRANT_MS, issueGrant, readGrant, renewGrant } from "#domain/protection/tokens.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { RequestContext } from "../context.ts";
import type { FileRow } from "../db/files.ts";
import type { Services } from "../services.ts";

/** @param password in the form that `linkPassword` accepts @returns a hash of the same kind as for accounts */
export async function hashLinkPassword({ auth }: Services, password: string): Promise<string> {
  const { password: hashing } = await auth.$context;
  return hashing.hash(normalizeLinkPassword(password) ?? password);
}

/**
 * Checks a link's password, which takes some 80 ms of CPU unless the length alone is wrong. An isolate checks one
 * password at a time.
 */
export async function isLinkPassword({ auth }: Services, hash: string, password: string): Promise<boolean> {
  const normalized = normalizeLinkPassword(password);
  if (normalized === null) return false;
  const { password: hashing } = await auth.$context;
  return hashing.verify({ hash, password: normalized });
}

type LinkRow = Pick<FileRow, "downloadId" | "guardRevision">;

/** Whether the request has a grant for the link. Renews a grant in the second half of its time. */
export async function hasGrant(context: RequestContext, link: LinkRow, now: number): Promise<boolean> {
  const keys = await context.services.linkTokenKeys();
  for (const token of tokensOf(context.request, link)) {
    const grant = await readGrant(keys, link.downloadId, link.guardRevision, token, now);
    if (!grant) continue;
    const next = await renewGrant(keys, link.downloadId, grant, now);
    if (next !== null) setGrant(context, link, next);
    return true;
  }
  return false;
}

/** Issues a grant, and sets its cookies. @returns the token, and the end of its validity unless it is renewed */
export async function giveGrant(
  context: RequestContext,
  link: LinkRow,
  now: number,
): Promise<{ grant: string; until: number }> {
  const keys = await context.services.linkTokenKeys();
  const grant = await issueGrant(keys, link.downloadId, link.guardRevision, now);
  setGrant(context, link, grant);
  return { grant, until: now + GRANT_MS };
}

/**
 * The tokens of a request's grants: a program sends its grant in a header or in the URL of its redirect, a browser in a
 * cookie.
 */
function tokensOf({ headers, url }: Request, { downloadId }: LinkRow): string[] {
  const { name } = grantCookie(downloadId);
  const [, bearer] = /^Bearer (\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  const redirected = new URL(url).searchParams.get("grant");
  const tokens = [bearer, redirected, parse(headers.get("cookie") ?? "", name)[name]];
  return tokens.filter((token) => typeof token === "string");
}

function setGrant({ setCookie }: RequestContext, { downloadId }: LinkRow, value: string): void {
  const { name, paths } = grantCookie(downloadId);
  for (const path of paths) setCookie({ name, value, path, maxAgeSeconds: GRANT_MAX_MS / SECOND_MS });
}
