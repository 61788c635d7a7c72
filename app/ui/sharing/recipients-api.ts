import { call } from "#app/lib/api.ts";
import type { DownloadNotice } from "#domain/notices/when-mailed.ts";

export const recipientsKey = (fileId: string) => ["/api/files/recipients", fileId];

export const recipientsApi = {
  list: (id: string) => call("GET /api/files/:id/recipients", { params: { id } }),
  share: (id: string, emails: string[], note: string) =>
    call("POST /api/files/:id/share", { params: { id }, body: { emails, note } }),
  mailAgain: (id: string, recipientId: string) =>
    call("POST /api/files/:id/recipients/:recipientId/again", { params: { id, recipientId } }),
  stop: (id: string, recipientId: string) =>
    call("DELETE /api/files/:id/recipients/:recipientId", { params: { id, recipientId } }),
  notify: (id: string, notify: DownloadNotice | null) =>
    call("PATCH /api/files/:id/notify", { params: { id }, body: { notify } }),
};
