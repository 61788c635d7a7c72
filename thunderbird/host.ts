/** What the add-on uses of Thunderbird's WebExtension API (Manifest V2). */
export interface Host {
  cloudFile: {
    getAllAccounts(): Promise<{ id: string }[]>;
    updateAccount(accountId: string, change: AccountChange): Promise<unknown>;
    onFileUpload: HostEvent<[account: { id: string }, file: AttachedFile], Promise<UploadAnswer>>;
    onFileUploadAbort: HostEvent<[account: { id: string }, fileId: number], void>;
    onFileDeleted: HostEvent<[account: { id: string }, fileId: number], Promise<void>>;
    onFileRename: HostEvent<[account: { id: string }, fileId: number, newName: string], Promise<UploadAnswer>>;
    onAccountDeleted: HostEvent<[accountId: string], void>;
  };
  i18n: {
    /** @returns "" for an unknown name */
    getMessage(name: string, values?: string[]): string;
    getUILanguage(): string;
  };
  runtime: {
    getURL(path: string): string;
    getManifest(): { version: string };
    sendMessage(message: unknown): Promise<unknown>;
    onMessage: HostEvent<[message: unknown], Promise<unknown> | undefined>;
  };
  storage: {
    local: {
      get(name: string): Promise<Record<string, unknown>>;
      set(values: Record<string, unknown>): Promise<void>;
      remove(name: string): Promise<void>;
    };
  };
  webRequest: {
    onBeforeSendHeaders: {
      addListener(
        listener: (request: SentRequest) => { requestHeaders?: SentHeader[] },
        filter: { urls: string[] },
        extra: string[],
      ): void;
    };
  };
  windows: { openDefaultBrowser(url: string): Promise<unknown> };
}

interface HostEvent<Given extends unknown[], Answer> {
  addListener(listener: (...given: Given) => Answer): void;
}

/** Sizes are bytes; -1 for no limit. */
interface AccountChange {
  configured?: boolean;
  uploadSizeLimit?: number;
  spaceRemaining?: number;
  spaceUsed?: number;
}

/** An attachment that becomes a link. Its id is that of one attachment of one draft, until Thunderbird ends. */
export interface AttachedFile {
  id: number;
  name: string;
  data: File;
}

/** The answer to an upload or a renaming. `error` is shown to the person. */
export interface UploadAnswer {
  url?: string;
  aborted?: boolean;
  error?: string;
  /** What the message says about the link. */
  templateInfo?: {
    service_name: string;
    service_url: string;
    /** Epoch milliseconds, and options of `Intl.DateTimeFormat`. */
    download_expiry_date?: { timestamp: number; format: Intl.DateTimeFormatOptions };
  };
}

interface SentHeader {
  name: string;
  value?: string;
}

interface SentRequest {
  url: string;
  /** The address of the page that makes the request. */
  originUrl?: string;
  requestHeaders?: SentHeader[];
}

export const host = (globalThis as unknown as { browser: Host }).browser;
