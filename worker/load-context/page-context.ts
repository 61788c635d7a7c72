import { AppError } from "#domain/errors.ts";
import { safeFilename } from "#domain/file-names.ts";
import { requestLocale } from "#domain/locale.ts";
import { findSitePage } from "#domain/site-pages.ts";
import type { CurrentUser } from "#domain/wire.ts";
import { createAdminPageData } from "../admin/page-data.ts";
import { getCurrentPlan } from "../billing/current-plan.ts";
import { listInvoices } from "../billing/invoices.ts";
import { listPlans } from "../billing/listed-plans.ts";
import { readApiDescription, llms, robots, sitemap } from "../content/discovery.ts";
import { toPublicContent } from "../content/pages.ts";
import { toPublicSeo } from "../content/seo.ts";
import type { RequestContext } from "../context.ts";
import { findPageWithSeo, findSeo } from "../db/content.ts";
import { findNoticeSettings } from "../db/notice-settings.ts";
import { databaseRefusal } from "../db/retries.ts";
import { getDownloadPage } from "../downloads/download-info.ts";
import { isOfTransfer } from "../errors/link-errors.ts";
import { translateError } from "../errors/translate-error.ts";
import { findDeletable } from "../files/deletion.ts";
import { listFiles, findUnfinishedName, readDetails } from "../files/files.ts";
import { readPreviews } from "../files/previews.ts";
import { lockedSealOf } from "../links/describe-link.ts";
import { logError, requestLogOf } from "../log.ts";
import { readLocalMailbox } from "../mail/local-mailbox.ts";
import { readDecision } from "../moderation/objections.ts";
import { readStops } from "../notices/choices.ts";
import { noteOpening, readRecipients } from "../notices/recipients.ts";
import type {
  DownloadView,
  InvoicesView,
  PageContext,
  PageView,
  RequestView,
  DecisionView,
  UnsubscribeView,
  OwnFileView,
} from "../page-types.ts";
import { readRequest } from "../requests/by-link.ts";
import { listRequests } from "../requests/manage.ts";
import { listReceived } from "../requests/received.ts";
import type { Services } from "../services.ts";
import { storageOrigins } from "../storage/bucket-rules.ts";

const SLUGS = new Map([
  ["/terms", "terms"],
  ["/privacy", "privacy"],
  ["/about", "about"],
]);

/** Reads head and text of a page with at most one query. Never throws: on an error, `failed` is true. */
async function readPageView(services: Services, pathname: string): Promise<PageView> {
  const page = findSitePage(pathname);
  if (!page) return { seo: null, content: null, failed: false };
  const slug = SLUGS.get(page.path);
  try {
    const { seo, content } = slug
      ? await findPageWithSeo(services.db, slug, page.path)
      : { seo: await findSeo(services.db, page.path), content: null };
    return {
      seo: seo && toPublicSeo(services, seo),
      content: content && (await toPublicContent(services, content)),
      failed: false,
    };
  } catch (error) {
    logError("page.content_failed", error, { page: page.path });
    return { seo: null, content: null, failed: true };
  }
}

/** The server's functions for Remix's loaders, which are the functions of the API. */
export function createPageContext(context: RequestContext, document: { nonce: string }): PageContext {
  const { services, currentUser } = context;
  const pages = new Map<string, Promise<PageView>>();
  return {
    requestId: requestLogOf(context.request).id,
    nonce: document.nonce,
    logError,
    failure: () => {
      const refusal = databaseRefusal();
      return refusal && translateError(refusal, requestLocale(context.request.headers));
    },
    origin: services.settings.origin,
    storageOrigins: storageOrigins(services.settings),
    hasDevPages: services.settings.appEnv !== "production",
    turnstileSiteKey: services.settings.turnstile?.siteKey ?? null,
    anonymousUploads: services.settings.anonymousUploads,
    maxRequestBytes: services.settings.maxRequestBytes,
    billing: services.settings.billing.mode,
    currentUser,
    listFiles: (user, query) => listFiles(services, user, query, Date.now()),
    listPlans,
    currentPlan: (user) => getCurrentPlan(services, user, Date.now()),
    listInvoices: (user, after) => findInvoices(context, user, after),
    listLocalMail: () => readLocalMailbox(services),
    findDownload: (downloadId) => findDownload(context, downloadId),
    findOwnFile: (user, id) => findOwnFile(services, user, id, Date.now()),
    noticeSettings: (user) => findNoticeSettings(services.db, user.id),
    findDecision: (token) => findDecision(context, token),
    findUnsubscribe: (token) => findUnsubscribe(context, token),
    findRequest: (token) => findRequest(context, token),
    listRequests: (user) => listRequests(services, user, Date.now()),
    listReceived: (user, request) => listReceived(services, user, { request }, Date.now()),
    findDeletableName: (id, token) => findDeletableName(context, id, token),
    apiDescription: () => readApiDescription(services),
    contactEmail: services.settings.contactEmail,
    readPage: (pathname) => {
      const page = pages.get(pathname) ?? readPageView(services, pathname);
      pages.set(pathname, page);
      return page;
    },
    sitemap: () => sitemap(services),
    robots: () => robots(services),
    llms: () => llms(services),
    admin: createAdminPageData(context),
  };
}

async function findDownload(context: RequestContext, downloadId: string): Promise<DownloadView> {
  const now = Date.now();
  try {
    const page = await getDownloadPage(context, downloadId, now);
    noteOpening(context, downloadId, now);
    return { kind: "file", status: 200, ...page };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === "LINK_LOCKED") noteOpening(context, downloadId, now);
    if (error.code === "LINK_LOCKED") return { kind: "locked", status: 200, ...lockedSealOf(error) };
    const { retryAfterSeconds } = error.details;
    return {
      kind: "refused",
      status: error.status,
      code: error.code,
      message: translateError(error, requestLocale(context.request.headers)),
      isTransfer: isOfTransfer(error),
      ...(typeof retryAfterSeconds === "number" ? { retryAfterSeconds } : {}),
    };
  }
}

async function findUnsubscribe(context: RequestContext, token: string): Promise<UnsubscribeView> {
  try {
    await context.enforceRateLimit("unsubscribe");
    return { kind: "known", status: 200, ...(await readStops(context.services, token)) };
  } catch (error) {
    return refusedView(context, error);
  }
}

async function findDecision(context: RequestContext, token: string): Promise<DecisionView> {
  try {
    await context.enforceRateLimit("redeemToken");
    return { kind: "known", status: 200, ...(await readDecision(context.services, token, Date.now())) };
  } catch (error) {
    return refusedView(context, error);
  }
}

async function findRequest(context: RequestContext, token: string): Promise<RequestView> {
  try {
    return { kind: "request", status: 200, request: await readRequest(context, token, Date.now()) };
  } catch (error) {
    return refusedView(context, error);
  }
}

/** @throws any error that is no AppError */
function refusedView({ request }: RequestContext, error: unknown) {
  if (!(error instanceof AppError)) throw error;
  const { retryAfterSeconds } = error.details;
  return {
    kind: "refused" as const,
    status: error.status,
    message: translateError(error, requestLocale(request.headers)),
    ...(typeof retryAfterSeconds === "number" ? { retryAfterSeconds } : {}),
  };
}

async function findDeletableName({ services }: RequestContext, id: string, token: string): Promise<string | null> {
  try {
    return safeFilename((await findDeletable(services, id, token)).filename);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

async function findInvoices(
  { services, request }: RequestContext,
  user: CurrentUser,
  after?: string,
): Promise<InvoicesView> {
  try {
    return { kind: "invoices", ...(await listInvoices(services, user, after)) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { kind: "refused", status: error.status, message: translateError(error, requestLocale(request.headers)) };
  }
}

/** @param now epoch milliseconds */
async function findOwnFile(services: Services, user: CurrentUser, id: string, now: number): Promise<OwnFileView> {
  try {
    const [file, recipients, settings, previews] = await Promise.all([
      readDetails(services, user, id, now),
      readRecipients(services, user, id),
      findNoticeSettings(services.db, user.id),
      readPreviews(services, user),
    ]);
    const account = { accountNotify: settings.downloaded, accountShowsPicture: previews.showsPicture };
    return { kind: "file", status: 200, file, recipients, ...account };
  } catch (error) {
    if (isMissing(error)) return findUnfinished(services, user, id);
    throw error;
  }
}

async function findUnfinished(services: Services, user: CurrentUser, id: string): Promise<OwnFileView> {
  try {
    const name = await findUnfinishedName(services, user, id);
    return name === null ? { kind: "missing", status: 404 } : { kind: "unfinished", status: 200, name };
  } catch (error) {
    if (isMissing(error)) return { kind: "missing", status: 404 };
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof AppError && error.code === "FILE_NOT_FOUND";
}
