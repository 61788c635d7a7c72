import { Hono, type Context } from "hono";
import {
  adminEmailRequest,
  adminLogQuery,
  adminPlanRequest,
  adminRoleRequest,
  adminUserFilesQuery,
  adminUsersQuery,
  approveOrphansRequest,
  reconciliationQuery,
  contactMessagesQuery,
  entriesQuery,
  entryInAddress,
  expiredFilesQuery,
  findFileQuery,
  overviewQuery,
  reportsQuery,
  settleReportRequest,
  takeDownRequest,
  uploadLogQuery,
  type Paged,
} from "#domain/wire.ts";
import { removeContactMessage, getContactMessages, setContactMessageRead } from "../admin/contact-messages.ts";
import {
  deleteFileAsAdmin,
  getAnyFile,
  listExpiredFiles,
  listFileEntries,
  listUserFiles,
  takeDown,
} from "../admin/files.ts";
import { listAdminLog, listLastRuns, listUploadLog } from "../admin/logs.ts";
import { getOverview } from "../admin/overview.ts";
import { getReconciliation, approveOrphans } from "../admin/reconciliation.ts";
import { listFileReports, revealReportKey, settleFileReport } from "../admin/reports.ts";
import { requireAdmin, requireAdminConfirmed } from "../admin/require-admin.ts";
import { askToRemoveFactor, describeFactorOf, removeFactorOf } from "../admin/second-factor.ts";
import { takeDownEntry } from "../admin/take-down-entry.ts";
import { changeUserEmail, changeUserPlan, changeUserRole, deleteUser, getUser, listAllUsers } from "../admin/users.ts";
import type { AppEnv } from "../app-env.ts";
import { inspectWindow } from "../sweep/reconciliation.ts";
import { adminSessionRoutes } from "./admin-session.ts";
import { parse, readJson } from "./input.ts";

/** @throws AppError ADMIN_REQUIRED */
async function asAdmin(c: Context<AppEnv>) {
  const context = c.get("context");
  return { services: context.services, admin: await requireAdmin(context) };
}

/** For what is sensitive. @throws AppError ADMIN_REQUIRED, CONFIRM_REQUIRED with `methods` */
async function asConfirmedAdmin(c: Context<AppEnv>) {
  const context = c.get("context");
  return { services: context.services, admin: await requireAdminConfirmed(context, Date.now()) };
}

/** Without a query, answers the first page as a plain array (decision 018). */
function answerPage<Item>(c: Context<AppEnv>, query: object, page: Paged<Item>) {
  return Object.keys(query).length === 0 ? c.json(page.items) : c.json(page);
}

const userRoutes = new Hono<AppEnv>()
  .get("/users", async (c) => {
    const { services } = await asAdmin(c);
    const query = parse(adminUsersQuery, c.req.query());
    return answerPage(c, query, await listAllUsers(services, query));
  })
  .get("/users/:id", async (c) => {
    const { services } = await asAdmin(c);
    return c.json(await getUser(services, c.req.param("id")));
  })
  .get("/users/:id/files", async (c) => {
    const { services } = await asAdmin(c);
    const query = parse(adminUserFilesQuery, c.req.query());
    return answerPage(c, query, await listUserFiles(services, c.req.param("id"), query, Date.now()));
  })
  .delete("/users/:id", async (c) => {
    const { services, admin } = await asConfirmedAdmin(c);
    await deleteUser(services, admin, c.req.param("id"), Date.now());
    return c.json({ message: "The user is being deleted. Their links and sessions have ended." }, 202);
  })
  .get("/users/:id/second-factor", async (c) => {
    const { services } = await asAdmin(c);
    return c.json(await describeFactorOf(services, c.req.param("id"), Date.now()));
  })
  .post("/users/:id/second-factor/removal", async (c) => {
    const { services, admin } = await asConfirmedAdmin(c);
    return c.json(await askToRemoveFactor(services, admin, c.req.param("id"), Date.now()), 202);
  })
  .delete("/users/:id/second-factor", async (c) => {
    const { services, admin } = await asConfirmedAdmin(c);
    await removeFactorOf(services, admin, c.req.param("id"), Date.now());
    return c.json({ message: "The second factor is removed." });
  })
  .put("/user/email/:id", async (c) => {
    const { services, admin } = await asConfirmedAdmin(c);
    const { email } = await readJson(c, adminEmailRequest);
    return c.json(await changeUserEmail(services, admin, c.req.param("id"), email, Date.now()));
  })
  .put("/user/plan/:id", async (c) => {
    const { services, admin } = await asAdmin(c);
    const { planType } = await readJson(c, adminPlanRequest);
    return c.json(await changeUserPlan(services, admin, c.req.param("id"), planType, Date.now()));
  })
  .put("/user/admin/:id", async (c) => {
    const { services, admin } = await asConfirmedAdmin(c);
    const { isAdmin } = await readJson(c, adminRoleRequest);
    return c.json(await changeUserRole(services, admin, c.req.param("id"), isAdmin, Date.now()));
  });

const adminFileRoutes = new Hono<AppEnv>()
  .get("/files", async (c) => {
    const { services } = await asAdmin(c);
    return c.json(await getAnyFile(services, parse(findFileQuery, c.req.query()).q, Date.now()));
  })
  .get("/files/expired", async (c) => {
    const { services } = await asAdmin(c);
    const query = parse(expiredFilesQuery, c.req.query());
    return answerPage(c, query, await listExpiredFiles(services, query, Date.now()));
  })
  .get("/files/:id/entries", async (c) => {
    const { services } = await asAdmin(c);
    const { from } = parse(entriesQuery, c.req.query());
    return c.json(await listFileEntries(services, c.req.param("id"), from));
  })
  .post("/files/:id/take-down", async (c) => {
    const { services, admin } = await asAdmin(c);
    const { reason } = await readJson(c, takeDownRequest);
    await takeDown(services, admin, c.req.param("id"), reason, Date.now());
    return c.json({ message: "The file was taken down. Its link has ended." });
  })
  .post("/files/:id/entries/:n/take-down", async (c) => {
    const { services, admin } = await asAdmin(c);
    const n = parse(entryInAddress, c.req.param("n"), "n");
    const { reason } = await readJson(c, takeDownRequest);
    await takeDownEntry(services, admin, { id: c.req.param("id"), n }, reason, Date.now());
    return c.json({ message: "The file was taken down. It can no longer be downloaded." });
  })
  .delete("/files/:id", async (c) => {
    const { services, admin } = await asAdmin(c);
    await deleteFileAsAdmin(services, admin, c.req.param("id"), Date.now());
    return c.json({ message: "The file has been successfully deleted" });
  });

const inboxRoutes = new Hono<AppEnv>()
  .get("/contact-submissions", async (c) => {
    const { services } = await asAdmin(c);
    const query = parse(contactMessagesQuery, c.req.query());
    return answerPage(c, query, await getContactMessages(services, query));
  })
  .put("/contact-submissions/:id/mark-read", async (c) => {
    const { services, admin } = await asAdmin(c);
    await setContactMessageRead(services, admin, c.req.param("id"), Date.now());
    return c.json({ message: "Submission marked as read" });
  })
  .delete("/contact-submissions/:id", async (c) => {
    const { services, admin } = await asAdmin(c);
    await removeContactMessage(services, admin, c.req.param("id"), Date.now());
    return c.json({ message: "Submission deleted successfully" });
  })
  .get("/reports", async (c) => {
    const { services } = await asAdmin(c);
    const query = parse(reportsQuery, c.req.query());
    return answerPage(c, query, await listFileReports(services, query, Date.now()));
  })
  .post("/reports/:id/shared-key", async (c) => {
    const { admin } = await asAdmin(c);
    return c.json(await revealReportKey(c.get("context"), admin, c.req.param("id"), Date.now()));
  })
  .put("/reports/:id", async (c) => {
    const { services, admin } = await asAdmin(c);
    const settlement = await readJson(c, settleReportRequest);
    await settleFileReport(services, admin, c.req.param("id"), settlement, Date.now());
    return c.json({ message: "The report is settled." });
  });

const insightRoutes = new Hono<AppEnv>()
  .get("/overview", async (c) => {
    const { services } = await asAdmin(c);
    return c.json(await getOverview(services, parse(overviewQuery, c.req.query()), Date.now()));
  })
  .get("/upload-log", async (c) => {
    const { services } = await asAdmin(c);
    const query = parse(uploadLogQuery, c.req.query());
    return answerPage(c, query, await listUploadLog(services, query));
  })
  .get("/admin-log", async (c) => {
    const { services } = await asAdmin(c);
    const query = parse(adminLogQuery, c.req.query());
    return answerPage(c, query, await listAdminLog(services, query));
  })
  .get("/sweep-runs", async (c) => {
    const { services } = await asAdmin(c);
    return c.json(await listLastRuns(services));
  })
  .get("/reconciliation", async (c) => {
    const { services } = await asAdmin(c);
    return c.json(await getReconciliation(services));
  })
  .get("/reconciliation/window", async (c) => {
    const { services } = await asAdmin(c);
    return c.json(await inspectWindow(services, parse(reconciliationQuery, c.req.query()).after, Date.now()));
  })
  .post("/orphans/approve", async (c) => {
    const { services, admin } = await asAdmin(c);
    const { asOf } = await readJson(c, approveOrphansRequest);
    return c.json({ approved: await approveOrphans(services, admin, Date.parse(asOf), Date.now()) });
  });

/** Each handler checks the session itself, so that no path can bypass the check. */
export const adminRoutes = new Hono<AppEnv>()
  .route("/", adminSessionRoutes)
  .route("/", userRoutes)
  .route("/", adminFileRoutes)
  .route("/", inboxRoutes)
  .route("/", insightRoutes);
