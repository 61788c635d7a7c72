import { AppError } from "#domain/errors.ts";
import type { RequestContext } from "./context.ts";
import { getDownloadInfo } from "./downloads/download-info.ts";
import { listFiles } from "./files/files.ts";
import { readLocalMailbox } from "./mail/local-mailbox.ts";
import { listUnfinished } from "./uploads/unfinished.ts";
import type { DownloadView, PageContext } from "./pages.ts";

/** The request's features as the pages see them: the same functions that the API calls. */
export function createPageContext(context: RequestContext): PageContext {
  const { services, currentUser } = context;
  return {
    origin: services.settings.origin,
    anonymousUploads: services.settings.anonymousUploads,
    currentUser,
    listFiles: (user) => listFiles(services, user, Date.now()),
    listUnfinished: (user) => listUnfinished(services, user),
    listLocalMail: () => readLocalMailbox(services),
    findDownload: (downloadId) => findDownload(context, downloadId),
  };
}

async function findDownload(context: RequestContext, downloadId: string): Promise<DownloadView> {
  const now = Date.now();
  try {
    return { kind: "file", status: 200, now, info: await getDownloadInfo(context, downloadId, now) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { status, message, details } = error;
    const { retryAfterSeconds } = details;
    return {
      kind: "refused",
      status,
      message,
      ...(typeof retryAfterSeconds === "number" ? { retryAfterSeconds } : {}),
    };
  }
}
