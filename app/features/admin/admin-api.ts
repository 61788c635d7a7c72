import type { Asks, Gets, Sends } from "#app/lib/api-calls.ts";
import { sendRequest, type ApiClient } from "#app/lib/api.ts";
import { goOnConfirmed } from "#app/lib/confirming.ts";
import { answerByPasskey, beginQuestion } from "#app/lib/passkeys.ts";
import type { PasskeyPurpose } from "#domain/passkeys.ts";
import type * as wire from "#domain/wire.ts";

type ContentBody = Sends<"pageContentRequest", unknown>["body"];

/** The changes an administrator can make. Tabs read their data in the route's loader (load-tab.server.ts). */
interface AdminCalls {
  "POST /api/admin/login": Sends<"adminLoginRequest", wire.AdminLoginAnswer>;
  "POST /api/admin/second-factor": Sends<"adminSecondFactorRequest", unknown>;
  "POST /api/admin/passkey/options": Sends<"passkeyOptionsRequest", wire.PasskeyRequestOptions>;
  "POST /api/admin/passkey/login": Sends<"adminPasskeyRequest", unknown>;
  "POST /api/admin/confirm": Sends<"adminConfirmRequest", unknown>;
  "POST /api/admin/logout": Gets<unknown>;
  "GET /api/admin/users": Asks<"adminUsersQuery", wire.Paged<wire.AdminUser>>;
  "PUT /api/admin/user/email/:id": Sends<"adminEmailRequest", unknown>;
  "PUT /api/admin/user/plan/:id": Sends<"adminPlanRequest", unknown>;
  "PUT /api/admin/user/admin/:id": Sends<"adminRoleRequest", unknown>;
  "DELETE /api/admin/users/:id": Gets<unknown>;
  "GET /api/admin/users/:id/second-factor": Gets<wire.AdminFactorState>;
  "POST /api/admin/users/:id/second-factor/removal": Gets<unknown>;
  "DELETE /api/admin/users/:id/second-factor": Gets<unknown>;
  "DELETE /api/admin/files/:id": Gets<unknown>;
  "GET /api/admin/files/:id/entries": Asks<"entriesQuery", wire.ListedEntries>;
  "POST /api/admin/files/:id/entries/:n/take-down": Sends<"takeDownRequest", unknown>;
  "POST /api/admin/files/:id/take-down": Sends<"takeDownRequest", unknown>;
  "POST /api/admin/orphans/approve": Sends<"approveOrphansRequest", unknown>;
  "POST /api/admin/reports/:id/shared-key": Gets<wire.RevealedKey>;
  "PUT /api/admin/reports/:id": Sends<"settleReportRequest", unknown>;
  "PUT /api/admin/contact-submissions/:id/mark-read": Gets<unknown>;
  "DELETE /api/admin/contact-submissions/:id": Gets<unknown>;
  "POST /api/seo": Sends<"seoRequest", unknown>;
  "PUT /api/seo/:id": Sends<"seoRequest", unknown>;
  "DELETE /api/seo/:id": Gets<unknown>;
  "POST /api/content": { body: ContentBody & { lastUpdatedBy: string }; answer: unknown };
  "PUT /api/content/:id": { body: ContentBody & { lastUpdatedBy: string }; answer: unknown };
  "DELETE /api/content/:id": Gets<unknown>;
  "POST /api/content/preview": Sends<"contentPreviewRequest", { content: string }>;
}

export const adminCall = sendRequest as ApiClient<AdminCalls>;

/** Does what `callConfirmed` does, for administrators. */
export const adminCallConfirmed: typeof adminCall = (name, ...options) =>
  goOnConfirmed(() => adminCall(name, ...options));

/** A fixed value (decision 024): the audit log holds the administrator's name. */
const BY_ADMIN = { lastUpdatedBy: "admin" };

export const adminApi = {
  /** Opens the browser's dialog. @returns null when the person closes it */
  askForPasskey: async (purpose: PasskeyPurpose) => {
    const { signal } = beginQuestion();
    return answerByPasskey(await adminCall("POST /api/admin/passkey/options", { body: { purpose } }), { signal });
  },
  /** Deleting an account takes a while. */
  isUserGone: async (id: string) => {
    const { items } = await adminCall("GET /api/admin/users", { query: { q: id } });
    return items.every((user) => user.id !== id);
  },
  createContent: (body: ContentBody) => adminCall("POST /api/content", { body: { ...body, ...BY_ADMIN } }),
  updateContent: (id: string, body: ContentBody) =>
    adminCall("PUT /api/content/:id", { params: { id }, body: { ...body, ...BY_ADMIN } }),
  /** @returns sanitised HTML, as readers receive it */
  previewContent: async (content: string, signal: AbortSignal) => {
    const preview = await adminCall("POST /api/content/preview", { body: { content }, signal });
    return preview.content;
  },
};
