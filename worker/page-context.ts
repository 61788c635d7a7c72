import type { RequestContext } from "./context.ts";
import { getDownloadInfo } from "./downloads/download-info.ts";
import { listFiles } from "./files/files.ts";
import type { PageContext } from "./pages.ts";

/** The request's features as the pages see them: the same functions that the API calls. */
export function createPageContext({ services, currentUser }: RequestContext): PageContext {
  return {
    origin: services.settings.origin,
    currentUser,
    listFiles: (user) => listFiles(services, user, Date.now()),
    getDownloadInfo: (downloadId) => getDownloadInfo(services, downloadId, Date.now()),
  };
}
