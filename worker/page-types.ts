import type { Locale } from "#domain/locale.ts";
import type { DownloadNotice } from "#domain/notices/when-mailed.ts";
import type { ApiDescription } from "#domain/v1/description.ts";
import type {
  AdminFile,
  AdminLogEntry,
  AdminLogQuery,
  AdminUser,
  AdminUserFilesQuery,
  AdminUsersQuery,
  AdminViewer,
  CaseDetails,
  CasesQuery,
  BillingMode,
  BlockList,
  BlockListQuery,
  ReconciliationReport,
  ContactMessagesPage,
  ContactMessagesQuery,
  CurrentPlan,
  CurrentUser,
  DownloadInfo,
  ExpiredFilesQuery,
  FileDetails,
  FileReport,
  FilesPage,
  FilesQuery,
  InvoiceList,
  ListedEntries,
  ListedPlan,
  ListedUploadRequest,
  LockedSeal,
  NoticeSettings,
  ObjectionInfo,
  Overview,
  OverviewQuery,
  PageContentRecord,
  Paged,
  PublicContent,
  PublicSeo,
  QueueCase,
  RecipientsAnswer,
  ReadUploadRequestAnswer,
  ReceivedPage,
  ReportsQuery,
  SeoRecord,
  SweepRun,
  UnsubscribeInfo,
  UploadLogEntry,
  UploadLogQuery,
} from "#domain/wire.ts";

/** The picture that a preview of a link shows. The address is absolute. */
export interface CardPicture {
  url: string;
  /** Pixels. */
  width: number;
  height: number;
}

/**
 * `list`: a transfer's first entries; null for a single file. `cardPicture`: absent for a link whose previews show no
 * picture. `isTransfer`: the refused link is known to be a
 * transfer's. `seal`: only for an encrypted link. Refusals are values, not errors, because the pages are a bundle of
 * their own.
 */
export type DownloadView =
  | { kind: "file"; status: 200; info: DownloadInfo; list: ListedEntries | null; cardPicture?: CardPicture }
  | { kind: "locked"; status: 200; seal?: LockedSeal }
  | { kind: "refused"; status: number; code: string; message: string; isTransfer: boolean; retryAfterSeconds?: number };

/**
 * A file or transfer of the signed-in person. `accountNotify`: mails about downloads, and `accountShowsPicture`: what
 * previews show, unless the link overrides it.
 */
export type OwnFileView =
  | {
      kind: "file";
      status: 200;
      file: FileDetails;
      recipients: RecipientsAnswer;
      accountNotify: DownloadNotice;
      accountShowsPicture: boolean;
    }
  | { kind: "unfinished"; status: 200; name: string }
  | { kind: "missing"; status: 404 };

/** The content of the page of an unsubscribe link. */
export type UnsubscribeView =
  | ({ kind: "known"; status: 200 } & UnsubscribeInfo)
  | { kind: "refused"; status: number; message: string; retryAfterSeconds?: number };

/** An upload request as a person who has its link sees it. */
export type RequestView =
  | { kind: "request"; status: 200; request: ReadUploadRequestAnswer }
  | { kind: "refused"; status: number; message: string; retryAfterSeconds?: number };

/** The decision that a mail's link is about. */
export type DecisionView =
  | ({ kind: "known"; status: 200 } & ObjectionInfo)
  | { kind: "refused"; status: number; message: string; retryAfterSeconds?: number };

export type InvoicesView = ({ kind: "invoices" } & InvoiceList) | { kind: "refused"; status: number; message: string };

export interface LocalMail {
  id: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  sentAt: string;
  headers: Record<string, string> | null;
}

/** `failed`: neither head nor text of the page could be read. */
export interface PageView {
  seo: PublicSeo | null;
  content: PublicContent | null;
  failed: boolean;
}

/** `refused` has status 403 without an admin session. */
export type AdminView<Answer> =
  { kind: "answer"; answer: Answer } | { kind: "refused"; status: number; message: string };

/** The data of the back office's pages. Each call checks the admin session. */
export interface AdminPages {
  /** The administrator of the admin session; null without an admin session. */
  viewer(): Promise<AdminViewer | null>;
  overview(query: OverviewQuery): Promise<AdminView<Overview>>;
  users(query: AdminUsersQuery): Promise<AdminView<Paged<AdminUser>>>;
  user(id: string): Promise<AdminView<AdminUser>>;
  userFiles(id: string, query: AdminUserFilesQuery): Promise<AdminView<Paged<AdminFile>>>;
  expiredFiles(query: ExpiredFilesQuery): Promise<AdminView<Paged<AdminFile>>>;
  /** @param query a file's id, download id or link */
  findFile(query: string): Promise<AdminView<AdminFile>>;
  contact(query: ContactMessagesQuery): Promise<AdminView<ContactMessagesPage>>;
  seo(): Promise<AdminView<SeoRecord[]>>;
  content(): Promise<AdminView<PageContentRecord[]>>;
  /** The administrator's queue. */
  cases(query: CasesQuery): Promise<AdminView<Paged<QueueCase>>>;
  case(id: string): Promise<AdminView<CaseDetails>>;
  reports(query: ReportsQuery): Promise<AdminView<Paged<FileReport>>>;
  blockList(query: BlockListQuery): Promise<AdminView<BlockList>>;
  uploadLog(query: UploadLogQuery): Promise<AdminView<Paged<UploadLogEntry>>>;
  adminLog(query: AdminLogQuery): Promise<AdminView<Paged<AdminLogEntry>>>;
  reconciliation(): Promise<AdminView<ReconciliationReport>>;
  /** The last hundred runs of the cron, newest first. */
  sweepRuns(): Promise<AdminView<SweepRun[]>>;
}

/** Everything that Remix's loaders can reach of the server. */
export type PageContext = {
  requestId: string;
  /** The nonce with which the Content Security Policy allows this document's inline scripts and styles. */
  nonce: string;
  logError(event: string, error: unknown): void;
  /** Why a loader has failed, in the reader's language; null for an unexpected error. */
  failure(): string | null;
  /** The site's origin: scheme, host and port, without a trailing slash. */
  origin: string;
  /**
   * The origins to which browsers send parts: scheme, host and port. The list is empty if the app itself serves
   * storage.
   */
  storageOrigins: string[];
  /** Whether the pages for development exist. False in a production deployment. */
  hasDevPages: boolean;
  /** Whether visitors may upload without an account. */
  /** Null where Turnstile is off. */
  turnstileSiteKey: string | null;
  anonymousUploads: boolean;
  /** The largest body of one request by a program, in bytes. */
  maxRequestBytes: number;
  billing: BillingMode;
  currentUser(): Promise<CurrentUser | null>;
  listFiles(user: CurrentUser, query: FilesQuery): Promise<FilesPage>;
  /** Cheapest plan first. */
  listPlans(locale: Locale): ListedPlan[];
  currentPlan(user: CurrentUser): Promise<CurrentPlan>;
  /** Newest invoice first. @param after the id of the previous page's last invoice */
  listInvoices(user: CurrentUser, after?: string): Promise<InvoicesView>;
  /** Newest mail first. Null unless the mail transport is `local`. */
  listLocalMail(): Promise<LocalMail[] | null>;
  findDownload(downloadId: string): Promise<DownloadView>;
  findOwnFile(user: CurrentUser, id: string): Promise<OwnFileView>;
  noticeSettings(user: CurrentUser): Promise<NoticeSettings>;
  /** Describes the unsubscribe link without using it. */
  findUnsubscribe(token: string): Promise<UnsubscribeView>;
  /** The decision to which somebody may object. */
  findDecision(token: string): Promise<DecisionView>;
  findRequest(token: string): Promise<RequestView>;
  /** Newest request first. */
  listRequests(user: CurrentUser): Promise<ListedUploadRequest[]>;
  /** Lists the first page of received uploads. @param requestId null for uploads through any request */
  listReceived(user: CurrentUser, requestId: string | null): Promise<ReceivedPage>;
  /** The name of the file that an address from `X-Url-Delete` deletes. Null when the address is invalid or used up. */
  findDeletableName(id: string, token: string): Promise<string | null>;
  contactEmail: string;
  /** The content of `/api/v1/openapi.json`. */
  apiDescription(): Promise<ApiDescription>;
  /** Reads head and text of a page, once per request. */
  readPage(pathname: string): Promise<PageView>;
  sitemap(): Promise<string>;
  robots(): Promise<string>;
  llms(): Promise<string>;
  admin: AdminPages;
};
