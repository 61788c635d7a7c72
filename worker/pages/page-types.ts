import type { Locale } from "#domain/locale.ts";
import type {
  AdminFile,
  AdminLogEntry,
  AdminLogQuery,
  AdminUser,
  AdminUserFilesQuery,
  AdminUsersQuery,
  AdminViewer,
  BillingMode,
  ReconciliationReport,
  ContactPage,
  ContactQuery,
  CurrentPlan,
  CurrentUser,
  DownloadInfo,
  ExpiredFilesQuery,
  FileReport,
  FilesPage,
  FilesQuery,
  InvoiceList,
  ListedPlan,
  Overview,
  OverviewQuery,
  PageContentRecord,
  Paged,
  PublicContent,
  PublicSeo,
  ReportsQuery,
  SeoRecord,
  SweepRun,
  UploadLogEntry,
  UploadLogQuery,
} from "#domain/wire.ts";

/**
 * What a download link leads to, and what the server's clock says, epoch milliseconds. The pages are a bundle of their
 * own, so refusals come as values, not as errors.
 */
export type DownloadView =
  | { kind: "file"; status: 200; now: number; info: DownloadInfo }
  | { kind: "refused"; status: number; message: string; retryAfterSeconds?: number };

/** A person's invoices, or why they cannot be shown. */
export type InvoicesView = ({ kind: "invoices" } & InvoiceList) | { kind: "refused"; status: number; message: string };

/** A mail that was kept instead of sent. */
export interface LocalMail {
  id: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  sentAt: string;
}

/** What a public page reads: what its head says, and its text where that is a row. `failed` when neither could be read. */
export interface PageView {
  seo: PublicSeo | null;
  content: PublicContent | null;
  failed: boolean;
}

/** What the admin area asked for, or why it is not given: 403 without an administrator's session. */
export type AdminView<Answer> =
  { kind: "answer"; answer: Answer } | { kind: "refused"; status: number; message: string };

/** What the admin area reads. Each asks for the administrator's session itself; changes go through the calls. */
export interface AdminPages {
  /** The administrator whose session it is, or null. */
  viewer(): Promise<AdminViewer | null>;
  overview(query: OverviewQuery): Promise<AdminView<Overview>>;
  users(query: AdminUsersQuery): Promise<AdminView<Paged<AdminUser>>>;
  user(id: string): Promise<AdminView<AdminUser>>;
  userFiles(id: string, query: AdminUserFilesQuery): Promise<AdminView<Paged<AdminFile>>>;
  expiredFiles(query: ExpiredFilesQuery): Promise<AdminView<Paged<AdminFile>>>;
  /** By id, download id or link. */
  findFile(query: string): Promise<AdminView<AdminFile>>;
  contact(query: ContactQuery): Promise<AdminView<ContactPage>>;
  seo(): Promise<AdminView<SeoRecord[]>>;
  content(): Promise<AdminView<PageContentRecord[]>>;
  reports(query: ReportsQuery): Promise<AdminView<Paged<FileReport>>>;
  uploadLog(query: UploadLogQuery): Promise<AdminView<Paged<UploadLogEntry>>>;
  adminLog(query: AdminLogQuery): Promise<AdminView<Paged<AdminLogEntry>>>;
  reconciliation(): Promise<AdminView<ReconciliationReport>>;
  /** The last hundred, newest first. */
  sweepRuns(): Promise<AdminView<SweepRun[]>>;
}

/** What the Remix app may ask of the server. Its loaders reach nothing else. */
export type PageContext = {
  /** Names the request, in the log and wherever something failed. */
  requestId: string;
  /** What the document's inline scripts carry: nothing else inline runs. */
  nonce: string;
  /** Leaves a line in the log about what went wrong. */
  logError(event: string, error: unknown): void;
  /** Scheme, host and port that links are built on. */
  origin: string;
  /** Whether visitors may upload without an account. */
  anonymousUploads: boolean;
  /** How plans are paid for here. */
  billing: BillingMode;
  currentUser(): Promise<CurrentUser | null>;
  listFiles(user: CurrentUser, query: FilesQuery): Promise<FilesPage>;
  /** In that language, cheapest first. */
  listPlans(locale: Locale): ListedPlan[];
  currentPlan(user: CurrentUser): Promise<CurrentPlan>;
  /** Newest first; `after` is the id of the last invoice that has been seen. */
  listInvoices(user: CurrentUser, after?: string): Promise<InvoicesView>;
  /** What the local mail transport kept, newest first; null where mail really goes out. */
  listLocalMail(): Promise<LocalMail[] | null>;
  findDownload(downloadId: string): Promise<DownloadView>;
  /** Where people may write to. */
  contactEmail: string;
  /** What the public page at that path shows; asked for twice in a request, it is read once. */
  readPage(pathname: string): Promise<PageView>;
  sitemap(): Promise<string>;
  robots(): Promise<string>;
  llms(): Promise<string>;
  admin: AdminPages;
};
