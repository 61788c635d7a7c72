import type { AppLoadContext } from "@remix-run/cloudflare";
import type * as z from "zod/mini";
import {
  adminLogQuery,
  adminUserFilesQuery,
  adminUsersQuery,
  contactQuery,
  expiredFilesQuery,
  overviewQuery,
  reportsQuery,
  uploadLogQuery,
} from "#domain/wire.ts";
import type { AdminPages, AdminView } from "#worker/pages/page-types.ts";
import { tabIn, type TabId } from "./tabs.ts";

/** A tab that could not be read, with what the server says of it: "" for nothing. */
export interface FailedTab {
  kind: "failed";
  tab: TabId;
  status: number;
  message: string;
}

/** What a tab shows, and the query that it answers. */
export type ShownTab = Awaited<ReturnType<typeof read>>;

/** Reads what the address asks for. It fails with 403 when the session has ended. */
export async function readTab(
  { admin, logError }: Pick<AppLoadContext, "admin" | "logError">,
  params: URLSearchParams,
): Promise<ShownTab | FailedTab> {
  const tab = tabIn(params);
  try {
    return await read(admin, tab, params);
  } catch (error) {
    if (error instanceof Refused) return { kind: "failed", tab, status: error.status, message: error.message };
    logError(`admin.${tab}_failed`, error);
    return { kind: "failed", tab, status: 500, message: "" };
  }
}

async function read(admin: AdminPages, tab: TabId, params: URLSearchParams) {
  switch (tab) {
    case "users": {
      const query = parse(adminUsersQuery, params, {});
      return { kind: "shown" as const, tab, query, list: answerOf(await admin.users(query)) };
    }
    case "files": {
      const id = params.get("user") ?? "";
      const query = parse(adminUserFilesQuery, params, {});
      const [user, list] = await Promise.all([admin.user(id), admin.userFiles(id, query)]);
      return { kind: "shown" as const, tab, query, user: answerOf(user), list: answerOf(list) };
    }
    case "expired": {
      const query = parse(expiredFilesQuery, params, {});
      return { kind: "shown" as const, tab, query, list: answerOf(await admin.expiredFiles(query)) };
    }
    case "contact": {
      const query = parse(contactQuery, params, {});
      return { kind: "shown" as const, tab, query, list: answerOf(await admin.contact(query)) };
    }
    case "seo":
      return { kind: "shown" as const, tab, records: answerOf(await admin.seo()) };
    case "content":
      return { kind: "shown" as const, tab, records: answerOf(await admin.content()) };
    case "reports": {
      const query = parse(reportsQuery, params, {});
      const wanted = params.get("file")?.trim() ?? "";
      const [list, found] = await Promise.all([admin.reports(query), wanted === "" ? null : admin.findFile(wanted)]);
      return { kind: "shown" as const, tab, query, wanted, found, list: answerOf(list) };
    }
    case "overview": {
      const query = parse(overviewQuery, params, { days: "30" });
      return { kind: "shown" as const, tab, query, overview: answerOf(await admin.overview(query)) };
    }
    case "uploads": {
      const query = parse(uploadLogQuery, params, {});
      return { kind: "shown" as const, tab, query, list: answerOf(await admin.uploadLog(query)) };
    }
    case "audit": {
      const query = parse(adminLogQuery, params, {});
      return { kind: "shown" as const, tab, query, list: answerOf(await admin.adminLog(query)) };
    }
    case "sweep": {
      const [runs, reconciliation] = await Promise.all([admin.sweepRuns(), admin.reconciliation()]);
      return { kind: "shown" as const, tab, runs: answerOf(runs), reconciliation: answerOf(reconciliation) };
    }
  }
}

class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** @throws Refused */
function answerOf<Answer>(view: AdminView<Answer>): Answer {
  if (view.kind === "answer") return view.answer;
  throw new Refused(view.status, view.message);
}

/** What the address asks for; one that was tampered with asks for nothing in particular. */
function parse<Schema extends z.ZodMiniType>(
  schema: Schema,
  params: URLSearchParams,
  otherwise: z.infer<Schema>,
): z.infer<Schema> {
  // An empty field of a form asks for nothing.
  const filled = [...params].filter(([, value]) => value.trim() !== "");
  const parsed = schema.safeParse(Object.fromEntries(filled));
  return parsed.success ? parsed.data : otherwise;
}
