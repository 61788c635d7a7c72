import type { AppLoadContext } from "@remix-run/cloudflare";
import type * as z from "zod/mini";
import {
  adminLogQuery,
  adminUserFilesQuery,
  adminUsersQuery,
  casesQuery,
  blockListQuery,
  contactMessagesQuery,
  expiredFilesQuery,
  overviewQuery,
  reportsQuery,
  uploadLogQuery,
} from "#domain/wire.ts";
import type { AdminPages, AdminView } from "#worker/page-types.ts";
import { activeTab, type TabId } from "./admin-tabs.ts";

/** A tab whose data could not be read. `message` is the server's error message, or "". */
export interface FailedTab {
  kind: "failed";
  tab: TabId;
  status: number;
  message: string;
}

export type LoadedTab = Awaited<ReturnType<typeof load>>;

/** @returns the tab's data, or a failure, with status 403 if the admin session has ended */
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
  const listOf = async <Query, List>(
    schema: z.ZodMiniType<Query>,
    read: (query: Query) => Promise<AdminView<List>>,
  ) => {
    const query = parse(schema, params, {} as Query);
    return { query, list: unwrap(await read(query)) };
  };
  switch (tab) {
    case "users":
      return { kind: "loaded" as const, tab, ...(await listOf(adminUsersQuery, (query) => admin.users(query))) };
    case "files": {
      const id = params.get("user") ?? "";
      const query = parse(adminUserFilesQuery, params, {});
      const [user, list] = await Promise.all([admin.user(id), admin.userFiles(id, query)]);
      return { kind: "loaded" as const, tab, query, user: unwrap(user), list: unwrap(list) };
    }
    case "expired":
      return {
        kind: "loaded" as const,
        tab,
        ...(await listOf(expiredFilesQuery, (query) => admin.expiredFiles(query))),
      };
    case "contact":
      return { kind: "loaded" as const, tab, ...(await listOf(contactMessagesQuery, (query) => admin.contact(query))) };
    case "seo":
      return { kind: "loaded" as const, tab, records: unwrap(await admin.seo()) };
    case "content":
      return { kind: "loaded" as const, tab, records: unwrap(await admin.content()) };
    case "queue": {
      const query = parse(casesQuery, params, {});
      const id = params.get("case") ?? "";
      const [list, opened] = await Promise.all([admin.cases(query), id === "" ? null : admin.case(id)]);
      // A case that is gone shows the list without it.
      const details = opened === null || (opened.kind === "refused" && opened.status === 404) ? null : unwrap(opened);
      return {
        kind: "loaded" as const,
        tab,
        query,
        list: unwrap(list),
        opened: details,
        year: new Date().getUTCFullYear(),
      };
    }
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
    case "uploads":
      return { kind: "loaded" as const, tab, ...(await listOf(uploadLogQuery, (query) => admin.uploadLog(query))) };
    case "audit":
      return { kind: "loaded" as const, tab, ...(await listOf(adminLogQuery, (query) => admin.adminLog(query))) };
    case "blocked": {
      const search = params.get("q")?.trim() ?? "";
      const query = blockListQuery.safeParse(search === "" ? {} : { q: search });
      // What is not a whole sum yet finds nothing.
      const list = query.success ? query.data : {};
      return { kind: "loaded" as const, tab, search, isSum: query.success, list: unwrap(await admin.blockList(list)) };
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

/** @throws AdminReadError for a refusal */
function unwrap<Answer>(view: AdminView<Answer>): Answer {
  if (view.kind === "answer") return view.answer;
  throw new AdminReadError(view.status, view.message);
}

/** @returns the parsed query parameters, or `defaults` if they are invalid */
function parse<Schema extends z.ZodMiniType>(
  schema: Schema,
  params: URLSearchParams,
  defaults: z.infer<Schema>,
): z.infer<Schema> {
  // Forms send empty fields, which mean no filter.
  const filled = [...params].filter(([, value]) => value.trim() !== "");
  const parsed = schema.safeParse(Object.fromEntries(filled));
  return parsed.success ? parsed.data : defaults;
}
