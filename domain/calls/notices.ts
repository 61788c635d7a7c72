import * as wire from "../wire.ts";
import { anybody, json, member } from "./call.ts";

const settings = json<wire.NoticeSettings>();
const unsubscribed = json<wire.UnsubscribeInfo>();

export const NOTICE_CALLS = {
  /** What an account's owner wants to be mailed. */
  "GET /api/notices": member({ answer: settings }),
  "PATCH /api/notices": member({ body: wire.changeNoticesRequest, answer: settings }),
  /** The token in the address is all that these calls need. GET changes nothing: programs that scan mails follow links. */
  "GET /api/unsubscribe/:token": anybody("unsubscribe", { answer: unsubscribed }),
  "POST /api/unsubscribe/:token": anybody("unsubscribe", { body: wire.unsubscribeRequest, answer: unsubscribed }),
};
