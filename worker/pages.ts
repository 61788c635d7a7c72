import type {
  BillingMode,
  CurrentPlan,
  CurrentUser,
  DownloadInfo,
  InvoiceList,
  ListedFile,
  ListedPlan,
  UnfinishedUpload,
} from "#domain/wire.ts";

/** What a download link leads to. The pages are a bundle of their own, so refusals come as values, not as errors. */
export type DownloadView =
  { kind: "file"; status: 200; info: DownloadInfo } | { kind: "refused"; status: number; message: string };

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

/** What the Remix app may ask of the server. Its loaders reach nothing else. */
export type PageContext = {
  /** Scheme, host and port that links are built on. */
  origin: string;
  /** Whether visitors may upload without an account. */
  anonymousUploads: boolean;
  /** How plans are paid for here. */
  billing: BillingMode;
  currentUser(): Promise<CurrentUser | null>;
  listFiles(user: CurrentUser): Promise<ListedFile[]>;
  listUnfinished(user: CurrentUser): Promise<UnfinishedUpload[]>;
  /** Cheapest first. */
  listPlans(): ListedPlan[];
  currentPlan(user: CurrentUser): Promise<CurrentPlan>;
  /** Newest first; `after` is the id of the last invoice that has been seen. */
  listInvoices(user: CurrentUser, after?: string): Promise<InvoicesView>;
  /** What the local mail transport kept, newest first; null where mail really goes out. */
  listLocalMail(): Promise<LocalMail[] | null>;
  findDownload(downloadId: string): Promise<DownloadView>;
};
