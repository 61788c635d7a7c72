import { ACCOUNT_CALLS, PASSKEY_CALLS, PROVIDER_CALLS, SECURITY_CALLS } from "./accounts.ts";
import { ADMIN_CALLS, ADMIN_SESSION_CALLS } from "./admin.ts";
import { BILLING_CALLS } from "./billing.ts";
import type { Call } from "./call.ts";
import { DOWNLOAD_CALLS, SOCKET_CALLS } from "./downloads.ts";
import { FILE_CALLS } from "./files.ts";
import { KEY_CALLS } from "./keys.ts";
import { MODERATION_CALLS } from "./moderation.ts";
import { NOTICE_CALLS } from "./notices.ts";
import { REQUEST_CALLS } from "./requests.ts";
import { SITE_CALLS } from "./site.ts";
import { CHUNKED_CALLS, PICTURE_CALLS, TRANSFER_CALLS, UPLOAD_CALLS } from "./uploads.ts";
import { WEBHOOK_CALLS } from "./webhooks.ts";

/** All calls outside `/api/v1` except `PROVEN_CALLS`. The Worker compiles only if every row has a handler. */
export const CALLS = {
  ...ACCOUNT_CALLS,
  ...PROVIDER_CALLS,
  ...PASSKEY_CALLS,
  ...SECURITY_CALLS,
  ...ADMIN_SESSION_CALLS,
  ...ADMIN_CALLS,
  ...SITE_CALLS,
  ...BILLING_CALLS,
  ...UPLOAD_CALLS,
  ...CHUNKED_CALLS,
  ...TRANSFER_CALLS,
  ...PICTURE_CALLS,
  ...REQUEST_CALLS,
  // Routes of downloads have to stand before `/api/files/:id`.
  ...DOWNLOAD_CALLS,
  ...FILE_CALLS,
  ...SOCKET_CALLS,
  ...KEY_CALLS,
  ...WEBHOOK_CALLS,
  ...NOTICE_CALLS,
  ...MODERATION_CALLS,
} satisfies Record<string, Call>;
