import { call } from "#app/lib/api.ts";
import type { PlanId } from "#domain/plans.ts";
import type {
  AdminLoginRequest,
  AdminUser,
  ApproveOrphansRequest,
  PageContentRequest,
  Paged,
  SeoRequest,
  SettleReportRequest,
} from "#domain/wire.ts";

const at = (path: string, id: string) => `${path}/${encodeURIComponent(id)}`;

/** What the admin area changes, a function a call. What it shows comes with its page (read-tab.server.ts). */
export const adminApi = {
  login: (body: AdminLoginRequest) => call("POST", "/api/admin/login", body),
  logout: () => call("POST", "/api/admin/logout", undefined, { keepalive: true }),
  /** Whether that account has gone for good: its deletion takes a while. */
  isUserGone: async (id: string) => {
    const found = (await call("GET", `/api/admin/users?${new URLSearchParams({ q: id })}`)) as Paged<AdminUser>;
    return found.items.every((user) => user.id !== id);
  },
  changeEmail: (userId: string, email: string) => call("PUT", at("/api/admin/user/email", userId), { email }),
  changePlan: (userId: string, planType: PlanId) => call("PUT", at("/api/admin/user/plan", userId), { planType }),
  changeRole: (userId: string, isAdmin: boolean) => call("PUT", at("/api/admin/user/admin", userId), { isAdmin }),
  deleteUser: (userId: string) => call("DELETE", at("/api/admin/users", userId)),
  deleteFile: (fileId: string) => call("DELETE", at("/api/admin/files", fileId)),
  takeDown: (fileId: string, reason: string) => call("POST", `${at("/api/admin/files", fileId)}/take-down`, { reason }),
  approveOrphans: (body: ApproveOrphansRequest) => call("POST", "/api/admin/orphans/approve", body),
  settleReport: (id: string, body: SettleReportRequest) => call("PUT", at("/api/admin/reports", id), body),
  markRead: (id: string) => call("PUT", `${at("/api/admin/contact-submissions", id)}/mark-read`),
  deleteSubmission: (id: string) => call("DELETE", at("/api/admin/contact-submissions", id)),
  createSeo: (body: SeoRequest) => call("POST", "/api/seo", body),
  updateSeo: (id: string, body: SeoRequest) => call("PUT", at("/api/seo", id), body),
  deleteSeo: (id: string) => call("DELETE", at("/api/seo", id)),
  createContent: (body: PageContentRequest) => call("POST", "/api/content", { ...body, ...BY_ADMIN }),
  updateContent: (id: string, body: PageContentRequest) =>
    call("PUT", at("/api/content", id), { ...body, ...BY_ADMIN }),
  deleteContent: (id: string) => call("DELETE", at("/api/content", id)),
  /** What a reader would be served: safe HTML. */
  previewContent: async (content: string, signal: AbortSignal) => {
    const answer = await call("POST", "/api/content/preview", { content }, { signal });
    return (answer as { content: string }).content;
  },
};

/** Always this word (specification 2 section 3); who it really was stands in the audit log. */
const BY_ADMIN = { lastUpdatedBy: "admin" };
