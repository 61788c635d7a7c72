export interface DownloadInfo {
  filename: string;
  size: number;
  status: "uploading" | "ready";
  mimeType: string;
  /** Null while the file is still being uploaded. */
  downloadUrl: string | null;
  /** Absent while the file is still being uploaded; null for never. */
  expiresAt?: string | null;
  /** Percent that has arrived, while the file is still being uploaded. */
  progress?: number;
  sha256?: string;
  /** Who worked the hash out: we, or the sender's browser. */
  sha256Source?: "server" | "browser";
}

export interface ListedFile {
  id: string;
  filename: string;
  size: number;
  uploadedAt: string;
  expiresAt: string | null;
  isExpired: boolean;
  downloadId: string;
}
