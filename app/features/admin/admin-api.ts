import type * as z from "zod/mini";
import { sendRequest, type ApiClient } from "#app/lib/api.ts";
import { goOnConfirmed } from "#app/lib/confirming.ts";
import { answerByPasskey, beginQuestion } from "#app/lib/passkeys.ts";
import type { PasskeyPurpose } from "#domain/passkeys.ts";
import type { PlanId } from "#domain/plans.ts";
import type {
  adminConfirmRequest,
  adminEmailRequest,
  AdminFactorState,
  AdminLoginAnswer,
  adminLoginRequest,
  adminPasskeyRequest,
  adminPlanRequest,
  adminRoleRequest,
  adminSecondFactorRequest,
  AdminUser,
  adminUsersQuery,
  approveOrphansRequest,
  contentPreviewRequest,
  entriesQuery,
  ListedEntries,
  pageContentRequest,
  Paged,
  PasskeyAssertion,
  passkeyOptionsRequest,
  PasskeyRequestOptions,
  RevealedKey,
  seoRequest,
  settleReportRequest,
  takeDownRequest,
} from "#domain/wire.ts";

type ContentBody = z.input<typeof pageContentRequest>;

/** The changes an administrator can make. Tabs read their data in the route's loader (load-tab.server.ts). */
interface AdminCalls {
  "POST /api/admin/login": { body: z.input<typeof adminLoginRequest>; answer: AdminLoginAnswer };
  "POST /api/admin/second-factor": { body: z.input<typeof adminSecondFactorRequest>; answer: unknown };
  "POST /api/admin/passkey/options": { body: z.input<typeof passkeyOptionsRequest>; answer: PasskeyRequestOptions };
  "POST /api/admin/passkey/login": { body: z.input<typeof adminPasskeyRequest>; answer: unknown };
  "POST /api/admin/confirm": { body: z.input<typeof adminConfirmRequest>; answer: unknown };
  "POST /api/admin/logout": { answer: unknown };
  "GET /api/admin/users": { query: z.input<typeof adminUsersQuery>; answer: Paged<AdminUser> };
  "PUT /api/admin/user/email/:id": { body: z.input<typeof adminEmailRequest>; answer: unknown };
  "PUT /api/admin/user/plan/:id": { body: z.input<typeof adminPlanRequest>; answer: unknown };
  "PUT /api/admin/user/admin/:id": { body: z.input<typeof adminRoleRequest>; answer: unknown };
  "DELETE /api/admin/users/:id": { answer: unknown };
  "GET /api/admin/users/:id/second-factor": { answer: AdminFactorState };
  "POST /api/admin/users/:id/second-factor/removal": { answer: unknown };
  "DELETE /api/admin/users/:id/second-factor": { answer: unknown };
  "DELETE /api/admin/files/:id": { answer: unknown };
  "GET /api/admin/files/:id/entries": { query: z.input<typeof entriesQuery>; answer: ListedEntries };
  "POST /api/admin/files/:id/entries/:n/take-down": { body: z.input<typeof takeDownRequest>; answer: unknown };
  "POST /api/admin/files/:id/take-down": { body: z.input<typeof takeDownRequest>; answer: unknown };
  "POST /api/admin/orphans/approve": { body: z.input<typeof approveOrphansRequest>; answer: unknown };
  "POST /api/admin/reports/:id/shared-key": { answer: RevealedKey };
  "PUT /api/admin/reports/:id": { body: z.input<typeof settleReportRequest>; answer: unknown };
  "PUT /api/admin/contact-submissions/:id/mark-read": { answer: unknown };
  "DELETE /api/admin/contact-submissions/:id": { answer: unknown };
  "POST /api/seo": { body: z.input<typeof seoRequest>; answer: unknown };
  "PUT /api/seo/:id": { body: z.input<typeof seoRequest>; answer: unknown };
  "DELETE /api/seo/:id": { answer: unknown };
  "POST /api/content": { body: ContentBody & { lastUpdatedBy: string }; answer: unknown };
  "PUT /api/content/:id": { body: ContentBody & { lastUpdatedBy: string }; answer: unknown };
  "DELETE /api/content/:id": { answer: unknown };
  "POST /api/content/preview": { body: z.input<typeof contentPreviewRequest>; answer: { content: string } };
}

type BodyOf<Name extends keyof AdminCalls> = AdminCalls[Name] extends { body: infer Body } ? Body : never;

const call = sendRequest as ApiClient<AdminCalls>;

/** A fixed value (decision 024): the audit log holds the administrator's name. */
const BY_ADMIN = { lastUpdatedBy: "admin" };

export const adminApi = {
  login: (body: BodyOf<"POST /api/admin/login">) => call("POST /api/admin/login", { body }),
  secondFactor: (body: BodyOf<"POST /api/admin/second-factor">) => call("POST /api/admin/second-factor", { body }),
  loginByPasskey: (credential: PasskeyAssertion) => call("POST /api/admin/passkey/login", { body: { credential } }),
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
