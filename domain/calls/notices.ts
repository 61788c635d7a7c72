import * as wire from "../wire.ts";
import { anybody, json, member } from "./call.ts";

const settings = json<wire.NoticeSettings>();
const unsubscribed = json<wire.UnsubscribeInfo>();

export const NOTICE_CALLS = {
  /** The settings of the mails that an account's owner gets. */
  "GET /api/notices": member({ answer: settings }),
  "PATCH /api/notices": member({ body: wire.changeNoticesRequest, answer: settings }),
  /** These calls need only the token in the address. GET changes nothing, because scanners of mails follow links. */
  "GET /api/unsubscribe/:token": anybody("unsubscribe", { answer: unsubscribed }),
  "POST /api/unsubscribe/:token": anybody("unsubscribe", { body: wire.unsubscribeRequest, answer: unsubscribed }),
};
