import { AppError } from "#domain/errors.ts";
import { requestLocale } from "#domain/locale.ts";
import { listPages } from "../content/pages.ts";
import { listSeoContent } from "../content/seo.ts";
import type { RequestContext } from "../context.ts";
import { translateError } from "../errors/translate-error.ts";
import type { AdminPages, AdminView } from "../page-types.ts";
import { readBlockListPage } from "./block-list.ts";
import { getContactMessages } from "./contact-messages.ts";
import { getAnyFile, listExpiredFiles, listUserFiles } from "./files.ts";
import { listAdminLog, listLastRuns, listUploadLog } from "./logs.ts";
import { getOverview } from "./overview.ts";
import { getCase, listQueue } from "./queue.ts";
import { getReconciliation } from "./reconciliation.ts";
import { listFileReports } from "./reports.ts";
import { requireAdmin } from "./require-admin.ts";
import { getUser, listAllUsers } from "./users.ts";

export function createAdminPageData(context: RequestContext): AdminPages {
  const { services, currentAdmin } = context;
  const asAdmin = async <Answer>(read: () => Promise<Answer>): Promise<AdminView<Answer>> => {
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
    overview: (query) => asAdmin(() => getOverview(services, query, Date.now())),
    users: (query) => asAdmin(() => listAllUsers(services, query)),
    user: (id) => asAdmin(() => getUser(services, id)),
    userFiles: (id, query) => asAdmin(() => listUserFiles(services, id, query, Date.now())),
    expiredFiles: (query) => asAdmin(() => listExpiredFiles(services, query, Date.now())),
    findFile: (query) => asAdmin(() => getAnyFile(services, query, Date.now())),
    contact: (query) => asAdmin(() => getContactMessages(services, query)),
    seo: () => asAdmin(() => listSeoContent(services)),
    content: () => asAdmin(() => listPages(services)),
    cases: (query) => asAdmin(() => listQueue(services, query, Date.now())),
    case: (id) => asAdmin(() => getCase(services, id, Date.now())),
    reports: (query) => asAdmin(() => listFileReports(services, query, Date.now())),
    blockList: (query) => asAdmin(() => readBlockListPage(services, query)),
    uploadLog: (query) => asAdmin(() => listUploadLog(services, query)),
    adminLog: (query) => asAdmin(() => listAdminLog(services, query)),
    reconciliation: () => asAdmin(() => getReconciliation(services)),
    sweepRuns: () => asAdmin(() => listLastRuns(services)),
  };
}
