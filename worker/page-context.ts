import { AppError } from "#domain/errors.ts";
import type { CurrentUser } from "#domain/wire.ts";
import { createAdminPages } from "./admin/admin-pages.ts";
import { getCurrentPlan } from "./billing/current-plan.ts";
import { listInvoices } from "./billing/invoices.ts";
import { listPlans } from "./billing/listed-plans.ts";
import { llms, robots, sitemap } from "./content/discovery.ts";
import { readPageView } from "./content/page-view.ts";
import type { RequestContext, Services } from "./context.ts";
import { getDownloadInfo } from "./downloads/download-info.ts";
import { listFiles } from "./files/files.ts";
import { readLocalMailbox } from "./mail/local-mailbox.ts";
import { listUnfinished } from "./uploads/unfinished.ts";
import type { DownloadView, InvoicesView, PageContext, PageView } from "./pages.ts";

/** The request's features as the pages see them: the same functions that the API calls. */
export function createPageContext(context: RequestContext): PageContext {
  const { services, currentUser } = context;
  const pages = new Map<string, Promise<PageView>>();
  return {
    origin: services.settings.origin,
    anonymousUploads: services.settings.anonymousUploads,
    billing: services.settings.billing.mode,
    currentUser,
    listFiles: (user, query) => listFiles(services, user, query, Date.now()),
    listUnfinished: (user) => listUnfinished(services, user),
    listPlans,
    currentPlan: (user) => getCurrentPlan(services, user, Date.now()),
    listInvoices: (user, after) => findInvoices(services, user, after),
    listLocalMail: () => readLocalMailbox(services),
    findDownload: (downloadId) => findDownload(context, downloadId),
    contactEmail: services.settings.contactEmail,
    readPage: (pathname) => {
      const page = pages.get(pathname) ?? readPageView(services, pathname);
      pages.set(pathname, page);
      return page;
    },
    sitemap: () => sitemap(services),
    robots: () => robots(services),
    llms: () => llms(services),
    admin: createAdminPages(context),
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

async function findInvoices(services: Services, user: CurrentUser, after?: string): Promise<InvoicesView> {
  try {
    return { kind: "invoices", ...(await listInvoices(services, user, after)) };
  } catch (error) {
    if (error instanceof AppError) return { kind: "refused", status: error.status, message: error.message };
    throw error;
  }
}
