import { RECIPIENT_TOKEN } from "#domain/notices/tokens.ts";
import type { RequestContext } from "../context.ts";
import type { Downloader } from "../db/download-counts.ts";
import type { FileRow } from "../db/files.ts";
import { isOwnedByCaller } from "./open-link.ts";

/** Call behind the answer: it may read the session. */
export async function downloaderOf(context: RequestContext, file: FileRow): Promise<Downloader> {
  return { token: recipientTokenOf(context.request), isOwner: await isOwnedByCaller(context, file) };
}

/** @returns null without one; nobody knows yet whether there is such a recipient */
export function recipientTokenOf({ url }: Request): string | null {
  return RECIPIENT_TOKEN.exec(new URL(url).searchParams.get("for") ?? "")?.[0] ?? null;
}
