import type { ListedFile } from "./files.ts";

/** What came through an upload request, as its sender said it. */
export interface ReceivedDetails {
  senderName: string | null;
  senderEmail: string | null;
  senderNote: string | null;
  /** Its owner made a link of it. Before, only they can open it. */
  hasLink: boolean;
}

/** `GET /api/files/{id}` */
export interface FileDetails extends ListedFile {
  /** Absent for what its owner sent. */
  received?: ReceivedDetails;
}
