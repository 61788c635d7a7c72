import * as wire from "../wire.ts";
import { administrator, anybody, json } from "./call.ts";

const user = json<wire.AdminUser>();
const objection = json<wire.ObjectionInfo>();

/** The administrator's queue, suspensions, and objections (decision 059). */
export const MODERATION_CALLS = {
  "POST /api/admin/users/:id/suspension": administrator({ body: wire.suspendRequest, answer: user }),
  "DELETE /api/admin/users/:id/suspension": administrator({ answer: user }),
  "GET /api/admin/cases": administrator({ query: wire.casesQuery, answer: json<wire.Paged<wire.QueueCase>>() }),
  "GET /api/admin/cases/:id": administrator({ answer: json<wire.CaseDetails>() }),
  "POST /api/admin/cases/:id/close": administrator({ body: wire.closeCaseRequest, says: "The case is closed." }),
  /** The numbers of a year as CSV. */
  "GET /api/admin/moderation-numbers": administrator({ query: wire.moderationYearQuery }),

  /** These calls need only the token in the mail's link. */
  "GET /api/objections/:token": anybody("redeemToken", { answer: objection }),
  "POST /api/objections/:token": anybody("redeemToken", { body: wire.objectionRequest, answer: objection }),
};
