import { AppError } from "#domain/errors.ts";
import { listedPlans } from "#domain/plan-list.ts";
import type { CurrentUser } from "#domain/wire.ts";
import { getCurrentPlan } from "./billing/current-plan.ts";
import { listInvoices } from "./billing/invoices.ts";
import type { RequestContext, Services } from "./context.ts";
import { getDownloadInfo } from "./downloads/download-info.ts";
import { listFiles } from "./files/files.ts";
import { readLocalMailbox } from "./mail/local-mailbox.ts";
import { listUnfinished } from "./uploads/unfinished.ts";
import type { DownloadView, InvoicesView, PageContext } from "./pages.ts";

/** The request's features as the pages see them: the same functions that the API calls. */
export function createPageContext({ services, currentUser }: RequestContext): PageContext {
  return {
    origin: services.settings.origin,
    anonymousUploads: services.settings.anonymousUploads,
    billing: services.settings.billing.mode,
    currentUser,
    listFiles: (user) => listFiles(services, user, Date.now()),
    listUnfinished: (user) => listUnfinished(services, user),
    listPlans: listedPlans,
    currentPlan: (user) => getCurrentPlan(services, user, Date.now()),
    listInvoices: (user, after) => findInvoices(services, user, after),
    listLocalMail: () => readLocalMailbox(services),
    findDownload: (downloadId) => findDownload(services, downloadId),
  };
}

async function findDownload(services: Services, downloadId: string): Promise<DownloadView> {
  try {
    return { kind: "file", status: 200, info: await getDownloadInfo(services, downloadId, Date.now()) };
  } catch (error) {
    if (error instanceof AppError) return { kind: "refused", status: error.status, message: error.message };
    throw error;
  }
}

async function findInvoices(services: Services, user: CurrentUser, after?: string): Promise<InvoicesView> {
  try {
    return { kind: "invoices", ...(await listInvoices(services, user, after)) };
  } catch (error) {
    if (error instanceof AppError) return { kind: "refused", status: error.status, message: error.message };
    throw error;
  }
}
