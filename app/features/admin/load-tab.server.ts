import type { AppLoadContext } from "@remix-run/cloudflare";
import type * as z from "zod/mini";
import {
  adminLogQuery,
  adminUserFilesQuery,
  adminUsersQuery,
  contactMessagesQuery,
  expiredFilesQuery,
  overviewQuery,
  reportsQuery,
  uploadLogQuery,
} from "#domain/wire.ts";
import type { AdminPages, AdminView } from "#worker/page-types.ts";
import { activeTab, type TabId } from "./admin-tabs.ts";

/** `message` is the server's error message, or "". */
export interface FailedTab {
  kind: "failed";
  tab: TabId;
  status: number;
  message: string;
}

export type LoadedTab = Awaited<ReturnType<typeof load>>;

/** @returns a failure with status 403 if the admin session has ended */
export async function loadTab(
  { admin, logError }: Pick<AppLoadContext, "admin" | "logError">,
  params: URLSearchParams,
): Promise<LoadedTab | FailedTab> {
  const tab = activeTab(params);
  try {
    return await load(admin, tab, params);
  } catch (error) {
    if (error instanceof AdminReadError) return { kind: "failed", tab, status: error.status, message: error.message };
    logError(`admin.${tab}_failed`, error);
    return { kind: "failed", tab, status: 500, message: "" };
  }
}

async function load(admin: AdminPages, tab: TabId, params: URLSearchParams) {
  switch (tab) {
    case "users": {
      const query = parse(adminUsersQuery, params, {});
      return { kind: "loaded" as const, tab, query, list: unwrap(await admin.users(query)) };
    }
    case "files": {
      const id = params.get("user") ?? "";
      const query = parse(adminUserFilesQuery, params, {});
      const [user, list] = await Promise.all([admin.user(id), admin.userFiles(id, query)]);
      return { kind: "loaded" as const, tab, query, user: unwrap(user), list: unwrap(list) };
    }
    case "expired": {
      const query = parse(expiredFilesQuery, params, {});
      return { kind: "loaded" as const, tab, query, list: unwrap(await admin.expiredFiles(query)) };
    }
    case "contact": {
      const query = parse(contactMessagesQuery, params, {});
      return { kind: "loaded" as const, tab, query, list: unwrap(await admin.contact(query)) };
    }
    case "seo":
      return { kind: "loaded" as const, tab, records: unwrap(await admin.seo()) };
    case "content":
      return { kind: "loaded" as const, tab, records: unwrap(await admin.content()) };
    case "reports": {
      const query = parse(reportsQuery, params, {});
      const fileSearch = params.get("file")?.trim() ?? "";
      const [list, foundFile] = await Promise.all([
        admin.reports(query),
        fileSearch === "" ? null : admin.findFile(fileSearch),
      ]);
      return { kind: "loaded" as const, tab, query, fileSearch, foundFile, list: unwrap(list) };
    }
    case "overview": {
      const query = parse(overviewQuery, params, { days: "30" });
      return { kind: "loaded" as const, tab, query, overview: unwrap(await admin.overview(query)) };
    }
    case "uploads": {
      const query = parse(uploadLogQuery, params, {});
      return { kind: "loaded" as const, tab, query, list: unwrap(await admin.uploadLog(query)) };
    }
    case "audit": {
      const query = parse(adminLogQuery, params, {});
      return { kind: "loaded" as const, tab, query, list: unwrap(await admin.adminLog(query)) };
    }
    case "sweep": {
      const [runs, reconciliation] = await Promise.all([admin.sweepRuns(), admin.reconciliation()]);
      return { kind: "loaded" as const, tab, runs: unwrap(runs), reconciliation: unwrap(reconciliation) };
    }
  }
}

class AdminReadError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** @throws AdminReadError */
function unwrap<Answer>(view: AdminView<Answer>): Answer {
  if (view.kind === "answer") return view.answer;
  throw new AdminReadError(view.status, view.message);
}

/** Invalid query parameters fall back to `defaults`. */
function parse<Schema extends z.ZodMiniType>(
  schema: Schema,
  params: URLSearchParams,
  defaults: z.infer<Schema>,
): z.infer<Schema> {
  // Forms send empty fields.
  const filled = [...params].filter(([, value]) => value.trim() !== "");
  const parsed = schema.safeParse(Object.fromEntries(filled));
  return parsed.success ? parsed.data : defaults;
}
