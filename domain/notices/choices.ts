/** When an owner is mailed of downloads: never, of each recipient's first one, of each, or with the mail of the day. */
export const DOWNLOAD_NOTICES = ["off", "first", "each", "daily"] as const;
export type DownloadNotice = (typeof DOWNLOAD_NOTICES)[number];
export const DEFAULT_DOWNLOAD_NOTICE: DownloadNotice = "first";

/** When an owner is mailed of what came through an upload request. */
export const REQUEST_NOTICES = ["each", "daily", "off"] as const;
export type RequestNotice = (typeof REQUEST_NOTICES)[number];

/** What is noted for a mail. `ending`: the link ends tomorrow. `receipt`: for whoever sent through a request. */
export const NOTICE_KINDS = ["downloaded", "arrived", "received", "ending", "receipt"] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];
