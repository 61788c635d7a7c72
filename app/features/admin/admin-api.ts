import { sendRequest, type ApiClient } from "#app/lib/api.ts";
import type { Asks, Gets, Sends } from "#app/lib/api-calls.ts";
import { goOnConfirmed } from "#app/lib/confirming.ts";
import { answerByPasskey, beginQuestion } from "#app/lib/passkeys.ts";
import type { PasskeyPurpose } from "#domain/passkeys.ts";
import type { PlanId } from "#domain/plans.ts";
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

type BodyOf<Name extends keyof AdminCalls> = AdminCalls[Name] extends { body: infer Body } ? Body : never;

const call = sendRequest as ApiClient<AdminCalls>;

/** A fixed value (decision 024): the audit log holds the administrator's name. */
const BY_ADMIN = { lastUpdatedBy: "admin" };

export const adminApi = {
  login: (body: BodyOf<"POST /api/admin/login">) => call("POST /api/admin/login", { body }),
  secondFactor: (body: BodyOf<"POST /api/admin/second-factor">) => call("POST /api/admin/second-factor", { body }),
  loginByPasskey: (credential: wire.PasskeyAssertion) =>
    call("POST /api/admin/passkey/login", { body: { credential } }),
  confirm: (body: BodyOf<"POST /api/admin/confirm">) => call("POST /api/admin/confirm", { body }),
  /** Opens the browser's dialog. @returns null when the person closes it */
  askForPasskey: async (purpose: PasskeyPurpose) => {
    const { signal } = beginQuestion();
    return answerByPasskey(await call("POST /api/admin/passkey/options", { body: { purpose } }), { signal });
  },
  logout: () => call("POST /api/admin/logout", { keepalive: true }),
  /** Deleting an account takes a while. */
  isUserGone: async (id: string) => {
    const { items } = await call("GET /api/admin/users", { query: { q: id } });
    return items.every((user) => user.id !== id);
  },
  changeEmail: (id: string, email: string) =>
    goOnConfirmed(() => call("PUT /api/admin/user/email/:id", { params: { id }, body: { email } })),
  changePlan: (id: string, planType: PlanId) =>
    call("PUT /api/admin/user/plan/:id", { params: { id }, body: { planType } }),
  changeRole: (id: string, isAdmin: boolean) =>
    goOnConfirmed(() => call("PUT /api/admin/user/admin/:id", { params: { id }, body: { isAdmin } })),
  deleteUser: (id: string) => goOnConfirmed(() => call("DELETE /api/admin/users/:id", { params: { id } })),
  factorOf: (id: string) => call("GET /api/admin/users/:id/second-factor", { params: { id } }),
  askToRemoveFactor: (id: string) =>
    goOnConfirmed(() => call("POST /api/admin/users/:id/second-factor/removal", { params: { id } })),
  removeFactor: (id: string) =>
    goOnConfirmed(() => call("DELETE /api/admin/users/:id/second-factor", { params: { id } })),
  deleteFile: (id: string) => call("DELETE /api/admin/files/:id", { params: { id } }),
  takeDown: (id: string, reason: string) =>
    call("POST /api/admin/files/:id/take-down", { params: { id }, body: { reason } }),
  entries: (id: string, from: number) =>
    call("GET /api/admin/files/:id/entries", { params: { id }, query: { from: String(from) } }),
  takeDownEntry: (id: string, n: number, reason: string) =>
    call("POST /api/admin/files/:id/entries/:n/take-down", { params: { id, n: String(n) }, body: { reason } }),
  approveOrphans: (body: BodyOf<"POST /api/admin/orphans/approve">) =>
    call("POST /api/admin/orphans/approve", { body }),
  revealKey: (id: string) => call("POST /api/admin/reports/:id/shared-key", { params: { id } }),
  settleReport: (id: string, body: BodyOf<"PUT /api/admin/reports/:id">) =>
    call("PUT /api/admin/reports/:id", { params: { id }, body }),
  markContactMessageRead: (id: string) => call("PUT /api/admin/contact-submissions/:id/mark-read", { params: { id } }),
  deleteContactMessage: (id: string) => call("DELETE /api/admin/contact-submissions/:id", { params: { id } }),
  createSeo: (body: BodyOf<"POST /api/seo">) => call("POST /api/seo", { body }),
  updateSeo: (id: string, body: BodyOf<"PUT /api/seo/:id">) => call("PUT /api/seo/:id", { params: { id }, body }),
  deleteSeo: (id: string) => call("DELETE /api/seo/:id", { params: { id } }),
  createContent: (body: ContentBody) => call("POST /api/content", { body: { ...body, ...BY_ADMIN } }),
  updateContent: (id: string, body: ContentBody) =>
    call("PUT /api/content/:id", { params: { id }, body: { ...body, ...BY_ADMIN } }),
  deleteContent: (id: string) => call("DELETE /api/content/:id", { params: { id } }),
  /** @returns sanitised HTML, as readers receive it */
  previewContent: async (content: string, signal: AbortSignal) => {
    const preview = await call("POST /api/content/preview", { body: { content }, signal });
    return preview.content;
  },
};
