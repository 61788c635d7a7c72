import { AppError } from "#domain/errors.ts";
import { requestLocale } from "#domain/locale.ts";
import { listPages } from "../content/pages.ts";
import { listSeoContent } from "../content/seo.ts";
import type { RequestContext } from "../context.ts";
import { translateError } from "../errors/translate-error.ts";
import type { AdminPages, AdminView } from "../pages/page-types.ts";
import { getReconciliation } from "./reconciliation.ts";
import { listMessages } from "./contact-messages.ts";
import { getAnyFile, listExpiredFiles, listUserFiles } from "./files.ts";
import { listAdminLog, listLastRuns, listUploadLog } from "./logs.ts";
import { getOverview } from "./overview.ts";
import { listFileReports } from "./reports.ts";
import { requireAdmin } from "./require-admin.ts";
import { getUser, listAllUsers } from "./users.ts";

/** The admin area as its pages see it: the same functions that the API calls, behind the same guard. */
export function createAdminPages(context: RequestContext): AdminPages {
  const { services, currentAdmin } = context;
  const guarded = async <Answer>(read: () => Promise<Answer>): Promise<AdminView<Answer>> => {
    try {
      await requireAdmin(context);
      return { kind: "answer", answer: await read() };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return {
        kind: "refused",
        status: error.status,
        message: translateError(error, requestLocale(context.request.headers)),
      };
    }
  };
  return {
    viewer: currentAdmin,
    overview: (query) => guarded(() => getOverview(services, query, Date.now())),
    users: (query) => guarded(() => listAllUsers(services, query)),
    user: (id) => guarded(() => getUser(services, id)),
    userFiles: (id, query) => guarded(() => listUserFiles(services, id, query, Date.now())),
    expiredFiles: (query) => guarded(() => listExpiredFiles(services, query, Date.now())),
    findFile: (query) => guarded(() => getAnyFile(services, query, Date.now())),
    contact: (query) => guarded(() => listMessages(services, query)),
    seo: () => guarded(() => listSeoContent(services)),
    content: () => guarded(() => listPages(services)),
    reports: (query) => guarded(() => listFileReports(services, query, Date.now())),
    uploadLog: (query) => guarded(() => listUploadLog(services, query)),
    adminLog: (query) => guarded(() => listAdminLog(services, query)),
    reconciliation: () => guarded(() => getReconciliation(services)),
    sweepRuns: () => guarded(() => listLastRuns(services)),
  };
}
