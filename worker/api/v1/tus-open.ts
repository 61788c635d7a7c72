import type { Context } from "hono";
import type { AppEnv } from "../../app-env.ts";
import { findOrigins } from "../../db/upload-requests.ts";
import { localizedError } from "../../errors/translate-error.ts";
import { openTus } from "../../tus/tus-upload.ts";
import type { V1Request } from "./handler.ts";

type UploadCall = "readTusUpload" | "appendTusUpload" | "endTusUpload";

/**
 * The upload at the address of a call. A page of a site that its request does not name is refused.
 * @throws AppError CROSS_SITE, and what `openTus` throws
 */
export async function uploadOf(
  request: Pick<V1Request<UploadCall>, "c" | "context" | "params" | "requestToken" | "now">,
) {
  const { c, context, params, requestToken, now } = request;
  const opening = openTus(context, params, requestToken, now);
  const page = c.req.header("origin");
  if (requestToken === null || page === undefined) return opening;
  // The list comes from the token, so that the page may also read that its upload is gone.
  const [origins, file] = await Promise.allSettled([findOrigins(context.services.db, requestToken), opening]);
  if (origins.status === "rejected") throw origins.reason;
  if (origins.value !== null) admitPage(c, origins.value);
  if (file.status === "rejected") throw file.reason;
  // A request that was deleted meanwhile names no sites any more. What runs may finish.
  if (origins.value === null && file.value.request !== null) c.set("reader", page);
  return file.value;
}

/**
 * Refuses a page of a site that is not in the list; any other may read the answer. A program sends no `Origin`.
 * @throws AppError CROSS_SITE
 */
export function admitPage(c: Context<AppEnv>, origins: readonly string[]): void {
  const page = c.req.header("origin");
  if (page === undefined) return;
  if (!origins.includes(page)) throw localizedError("CROSS_SITE", "requestFromElsewhere", {});
  c.set("reader", page);
}
